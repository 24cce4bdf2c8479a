/** Distributes `units` over places with these capacities, the first first. Those beyond are left out. */
export function distribute(capacities: readonly number[], units: number): readonly number[] {
  let left = units;
  return capacities.map((capacity) => {
    const taken = Math.min(capacity, left);
    left -= taken;
    return taken;
  });
}
