/**
 * Distributes `units` over places with these capacities, filling the first place first. Units beyond the
 * total capacity are left out.
 */
export function distribute(capacities: readonly number[], units: number): readonly number[] {
  let left = units;
  return capacities.map((capacity) => {
    const taken = Math.min(capacity, left);
    left -= taken;
    return taken;
  });
}
