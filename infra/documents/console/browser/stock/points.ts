/** A product's stock over time, computed from its movements. */

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly on_hand: number;
  readonly available: number;
}

interface Quantities {
  readonly on_hand: number;
  readonly reserved: number;
}

/**
 * The stock after each movement, computed backwards from today's. The oldest comes first.
 * @param movements the newest first
 */
export function pointsOf(
  today: Quantities,
  movements: readonly (Quantities & { readonly at: string })[],
): readonly Point[] {
  let { on_hand, reserved } = today;
  const points: Point[] = [{ at: Date.now(), on_hand, available: on_hand - reserved }];
  for (const movement of movements) {
    points.push({ at: Date.parse(movement.at), on_hand, available: on_hand - reserved });
    on_hand -= movement.on_hand;
    reserved -= movement.reserved;
  }
  return points.toReversed();
}
