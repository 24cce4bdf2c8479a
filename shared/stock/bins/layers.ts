/**
 * Layers: the goods of a product in a bin, by day of arrival, lot and expiry. Goods that were put away are in
 * layers, so their arrival is known. Units beyond the sum of the layers were added by a recount, and their
 * arrival is unknown.
 */

import { distribute } from "../../common/distribute.ts";
import type { Layer } from "./goods.ts";

/** The goods of one product in one bin. The sum of the layers never exceeds `quantity`. */
export interface BinGoods {
  readonly quantity: number;
  readonly layers: readonly Layer[];
}

export const noGoods: BinGoods = { quantity: 0, layers: [] };

/**
 * Maximum layers in a bin or in an order's picks. They are stored in one item, which DynamoDB limits to 400
 * KB.
 */
export const maxLayers = 100;

export const unitsIn = (layers: readonly Layer[]): number =>
  layers.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Layers are sorted by this key, and layers with equal keys are merged. A missing lot or expiry sorts last.
 */
const keyOf = ({ received_on, lot, expires_on }: Layer): string =>
  JSON.stringify([received_on, expires_on ?? "~", lot === null, lot]);

/** The layers, oldest first. Layers with the same day, lot and expiry are merged. */
export function mergeLayers(layers: readonly Layer[]): Layer[] {
  const byKey = new Map<string, Layer>();
  for (const added of layers) {
    const quantity = added.quantity + (byKey.get(keyOf(added))?.quantity ?? 0);
    if (quantity > 0) byKey.set(keyOf(added), { ...added, quantity });
  }
  return [...byKey].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/** Adds `quantity` units. `layers` describes the added units as far as their arrival is known. */
export const withAdded = (goods: BinGoods, quantity: number, layers: readonly Layer[]): BinGoods => ({
  quantity: goods.quantity + quantity,
  layers: mergeLayers([...goods.layers, ...layers]),
});

/** Goods that are taken, and goods that are left. */
interface Parted {
  readonly left: BinGoods;
  readonly taken: BinGoods;
}

/**
 * Takes `quantity` units; at least as many must be there. They are taken from the layers in the sequence of
 * `inOrder`, and from the units of unknown arrival once no layer is left.
 */
export function takeGoods(
  goods: BinGoods,
  quantity: number,
  inOrder: (layers: readonly Layer[]) => readonly Layer[],
): Parted {
  const ordered = inOrder(goods.layers);
  const units = distribute(
    ordered.map((one) => one.quantity),
    quantity,
  );
  const layers = (of: (one: Layer, taken: number) => number) =>
    mergeLayers(ordered.map((one, position) => ({ ...one, quantity: of(one, units[position] ?? 0) })));
  return {
    left: { quantity: goods.quantity - quantity, layers: layers((one, taken) => one.quantity - taken) },
    taken: { quantity, layers: layers((_, taken) => taken) },
  };
}

/**
 * The goods after a recount. Surplus units have an unknown arrival. Missing units are taken first from those
 * of unknown arrival, then from the oldest layers.
 */
export function recountGoods(goods: BinGoods, quantity: number): BinGoods {
  const missing = Math.max(unitsIn(goods.layers) - quantity, 0);
  const { layers } = takeGoods(goods, missing, mergeLayers).left;
  return { quantity, layers };
}
