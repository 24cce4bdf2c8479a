import type { FieldError } from "./problem.ts";

/**
 * Tells of each position of a list whether an earlier one has its key (a SKU, an id): a record may be in a call once.
 * Positions without a key repeat nothing.
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
 * Names that stand in a list more than once: an error at each place of one but its first, which `pathOf` states.
 * `list` says what they must not repeat in: "this call".
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
