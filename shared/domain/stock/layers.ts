/**
 * What a bin holds of a product, by when it came in, as which lot and until when it keeps. Goods whose arrival is known
 * (they were put away) lie in layers; what is beyond the layers' sum was counted in, and nothing is known of it.
 */
import * as z from "zod/mini";
import { fill } from "../inbound/inbound.ts";

/** Units of one lot that came in on one day. Dates are `YYYY-MM-DD`, UTC. */
export const layer = z.object({
  received_on: z.string(),
  lot: z.nullable(z.string()),
  expires_on: z.nullable(z.string()),
  quantity: z.int(),
});
export type Layer = z.output<typeof layer>;

/** Units that lie together; the layers never come to more than `quantity`. */
export interface Holding {
  readonly quantity: number;
  readonly layers: readonly Layer[];
}

export const nothingHeld: Holding = { quantity: 0, layers: [] };

/** Most layers that goods are put together from, in a bin or for an order: they are kept in one item of 400 KB. */
export const mostLayers = 100;

export const unitsIn = (layers: readonly Layer[]): number =>
  layers.reduce((sum, { quantity }) => sum + quantity, 0);

/** What layers sort by, and what those have in common that are one. Nothing (no lot, no end) comes last. */
const keyOf = ({ received_on, lot, expires_on }: Layer): string =>
  JSON.stringify([received_on, expires_on ?? "~", lot === null, lot]);

/** The layers with those of one day, lot and expiry made one, the oldest first. */
export function combined(layers: readonly Layer[]): Layer[] {
  const byKey = new Map<string, Layer>();
  for (const added of layers) {
    const quantity = added.quantity + (byKey.get(keyOf(added))?.quantity ?? 0);
    if (quantity > 0) byKey.set(keyOf(added), { ...added, quantity });
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/** With so many units more, those in `layers` among them. */
export const withAdded = (held: Holding, quantity: number, layers: readonly Layer[]): Holding => ({
  quantity: held.quantity + quantity,
  layers: combined([...held.layers, ...layers]),
});

/** Goods after some were taken from them, and which those were. */
export interface Parted {
  readonly left: Holding;
  readonly taken: Holding;
}

/**
 * Takes so many units, of which there must be as many: out of the layers in the order that `inOrder` gives them, and of
 * those that nothing is known of only once no layer is left.
 */
export function parted(
  held: Holding,
  quantity: number,
  inOrder: (layers: readonly Layer[]) => readonly Layer[],
): Parted {
  const ordered = inOrder(held.layers);
  const units = fill(
    ordered.map((one) => one.quantity),
    quantity,
  );
  const layers = (of: (one: Layer, taken: number) => number) =>
    combined(ordered.map((one, position) => ({ ...one, quantity: of(one, units[position] ?? 0) })));
  return {
    left: { quantity: held.quantity - quantity, layers: layers((one, taken) => one.quantity - taken) },
    taken: { quantity, layers: layers((_, taken) => taken) },
  };
}

/**
 * As counted: of units that were found nothing is known; those that are missing are first the ones of which nothing was
 * known, then the oldest.
 */
export function recounted(held: Holding, quantity: number): Holding {
  const missing = Math.max(unitsIn(held.layers) - quantity, 0);
  const { layers } = parted(held, missing, combined).left;
  return { quantity, layers };
}
