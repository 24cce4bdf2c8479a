/** Shares `units` out over rooms, filling the first room first. Units that fit nowhere are left out. */
export function fill(rooms: readonly number[], units: number): readonly number[] {
  let left = units;
  return rooms.map((room) => {
    const taken = Math.min(room, left);
    left -= taken;
    return taken;
  });
}
