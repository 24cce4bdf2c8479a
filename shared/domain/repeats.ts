/**
 * Tells of each position of a call whether an earlier one has its key (a SKU, an id): a record may be in a call once.
 * Positions without a key repeat nothing.
 */
export const repeating =
  (keys: readonly (string | number | undefined)[]) =>
  (position: number): boolean =>
    keys[position] !== undefined && keys.indexOf(keys[position]) < position;
