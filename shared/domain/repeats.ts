import type { FieldError } from "./problem.ts";

/**
 * Names that stand in a list more than once: an error at each place of one but its first, which `pathOf` states.
 * `list` says what they must not repeat in: "this call".
 */
export function repeats(
  names: readonly string[],
  pathOf: (position: number) => string,
  list = "this call",
): readonly FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, position) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: pathOf(position), message: `is in ${list} twice (${name})` }];
  });
}
