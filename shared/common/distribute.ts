/** Distributes `units` over parts with these capacities, first to last. Units beyond them are left out. */
export function distribute(capacities: readonly number[], units: number): readonly number[] {
  let left = units;
  return capacities.map((capacity) => {
    const taken = Math.min(capacity, left);
    left -= taken;
    return taken;
  });
}
