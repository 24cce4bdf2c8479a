import type { FieldError } from "./problem.ts";

/**
 * Tells of each position of a list whether an earlier position has the same key (a SKU, an id). A record may be in a
 * call only once. Positions without a key repeat nothing.
 */
export function repeating(keys: readonly (string | number | undefined)[]): (position: number) => boolean {
  const first = new Map<string | number, number>();
  keys.forEach((key, position) => {
    if (key !== undefined && !first.has(key)) first.set(key, position);
  });
  return (position) => {
    const key = keys[position];
    return key !== undefined && first.get(key) !== position;
  };
}

/**
 * An error at each second and later place of a name that a list repeats. `pathOf` tells the path of a position, `list`
 * is the list's name in the message: "this call".
 */
export function repeats(
  names: readonly string[],
  pathOf: (position: number) => string,
  list = "this call",
): readonly FieldError[] {
  const isRepeated = repeating(names);
  return names.flatMap((name, position) =>
    isRepeated(position) ? [{ path: pathOf(position), message: `is in ${list} twice (${name})` }] : [],
  );
}
