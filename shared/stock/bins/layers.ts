/**
 * What a bin holds of a product, by day of arrival, lot and expiry. Goods that were put away lie in layers, so their
 * arrival is known. Units beyond the sum of the layers were counted in, and their arrival is unknown.
 */

import * as z from "zod/mini";
import { distribute } from "../../common/distribute.ts";
import * as primitive from "../../common/primitives.ts";

/** A product in one of the warehouse's bins, as records of the goods there name it. */
export const productInBin = z.object({
  product_id: primitive.int,
  sku: primitive.text,
  bin_id: primitive.int,
  location: primitive.text,
  bin: primitive.text,
  distribution_center_id: primitive.int,
});

/** Units of one lot that came in on one day. Dates are `YYYY-MM-DD`, UTC. */
export const layer = z.object({
  received_on: primitive.text,
  lot: primitive.textOrNull,
  expires_on: primitive.textOrNull,
  quantity: primitive.int,
});
export type Layer = z.output<typeof layer>;

/** Units that lie together. The layers' sum is never more than `quantity`. */
export interface Holding {
  readonly quantity: number;
  readonly layers: readonly Layer[];
}

export const nothingHeld: Holding = { quantity: 0, layers: [] };

/** Most layers in a bin or in an order's picks. They are stored in one item, which holds 400 KB. */
export const maxLayers = 100;

export const unitsIn = (layers: readonly Layer[]): number =>
  layers.reduce((sum, { quantity }) => sum + quantity, 0);

/** Layers are sorted by this key, and layers with the same key are one. A missing lot or expiry comes last. */
const keyOf = ({ received_on, lot, expires_on }: Layer): string =>
  JSON.stringify([received_on, expires_on ?? "~", lot === null, lot]);

/** The layers, the oldest first. Those of one day, lot and expiry are made one. */
export function combined(layers: readonly Layer[]): Layer[] {
  const byKey = new Map<string, Layer>();
  for (const added of layers) {
    const quantity = added.quantity + (byKey.get(keyOf(added))?.quantity ?? 0);
    if (quantity > 0) byKey.set(keyOf(added), { ...added, quantity });
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/** The goods with `quantity` units more. `layers` is what is known of the added units. */
export const withAdded = (held: Holding, quantity: number, layers: readonly Layer[]): Holding => ({
  quantity: held.quantity + quantity,
  layers: combined([...held.layers, ...layers]),
});

/** The goods that were taken, and the goods that are left. */
export interface Parted {
  readonly left: Holding;
  readonly taken: Holding;
}

/**
 * Takes `quantity` units; there must be that many. They come out of the layers in the order that `inOrder` gives, and
 * out of the units of unknown arrival once no layer is left.
 */
export function parted(
  held: Holding,
  quantity: number,
  inOrder: (layers: readonly Layer[]) => readonly Layer[],
): Parted {
  const ordered = inOrder(held.layers);
  const units = distribute(
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
 * The goods after a count. Units that were found in addition have an unknown arrival. Missing units are first those of
 * unknown arrival, then the oldest.
 */
export function recounted(held: Holding, quantity: number): Holding {
  const missing = Math.max(unitsIn(held.layers) - quantity, 0);
  const { layers } = parted(held, missing, combined).left;
  return { quantity, layers };
}
