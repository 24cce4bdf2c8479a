import type { FieldError } from "./problem.ts";

/**
 * The positions whose key (a SKU, an id) occurred at an earlier position. Positions without a key are never
 * duplicates.
 */
export function duplicatePositions(keys: readonly (string | number | undefined)[]): ReadonlySet<number> {
  const known = new Set<string | number>();
  const duplicates = new Set<number>();
  for (const [position, key] of keys.entries()) {
    if (key === undefined) continue;
    if (known.has(key)) duplicates.add(position);
    known.add(key);
  }
  return duplicates;
}

/**
 * An error for each repeated name, at its second and later places. `list` is what the message calls the list
 * ("this call").
 */
export const duplicateErrors = (
  names: readonly string[],
  pathOf: (position: number) => string,
  list = "this call",
): readonly FieldError[] =>
  [...duplicatePositions(names)].map((position) => ({
    path: pathOf(position),
    message: `is in ${list} twice (${names[position]})`,
  }));
