/**
 * The sequence in which a product's goods are taken from bins, by pick style (docs/decisions.md, Pick
 * styles).
 */

import type { Product } from "../../catalog/products/product.ts";
import type { BinContent } from "./bin-repository.ts";
import type { Layer } from "./goods.ts";
import { type BinGoods, unitsIn } from "./layers.ts";

/** A bin with a product. */
export type StockedBin = Pick<BinContent, "bin_id" | "location" | "bin"> & BinGoods;

/** Units of one lot and expiry to take from one bin. */
export interface Stop
  extends Pick<BinContent, "bin_id" | "location" | "bin">,
    Pick<Layer, "quantity" | "lot" | "expires_on"> {}

/** How a product's goods are picked. Null means STANDARD. */
export type PickStyle = Product["pick_style"];

/** A layer, or the units of a bin outside all layers. */
interface Goods extends Omit<Layer, "received_on"> {
  readonly received_on: string | null;
}

/** Negative if `left` comes first. */
type Comparison<T> = (left: T, right: T) => number;

/** Compares a field as text. Unknown values come last in both directions. */
const compareBy =
  <K extends string>(field: K, direction: 1 | -1 = 1): Comparison<Readonly<Record<K, string | null>>> =>
  ({ [field]: left }, { [field]: right }) => {
    if (left === right) return 0;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -direction : direction;
  };

const firstOf =
  <T>(...comparisons: readonly Comparison<T>[]): Comparison<T> =>
  (left, right) =>
    comparisons.reduce((sign, comparison) => sign || comparison(left, right), 0);

const byBin = firstOf<StockedBin>(compareBy("location"), compareBy("bin"));
const byUnits: Comparison<StockedBin> = (left, right) => left.quantity - right.quantity;
const noPreference = () => 0;

const reversed =
  <T>(comparison: Comparison<T>): Comparison<T> =>
  (left, right) =>
    comparison(right, left);

/** Which layers of any bins a style takes first, and which bins if it has no preference between layers. */
type Style = readonly [ofLayers: Comparison<Goods>, ofBins: Comparison<StockedBin>];

const styles: Readonly<Record<NonNullable<PickStyle>, Style>> = {
  FIFO: [compareBy("received_on"), byBin],
  LIFO: [compareBy("received_on", -1), byBin],
  FEFO: [compareBy("expires_on"), byBin],
  FLFO: [compareBy("lot"), byBin],
  LLFO: [compareBy("lot", -1), byBin],
  BIN_ASC: [noPreference, byBin],
  BIN_DESC: [noPreference, reversed(byBin)],
  SAVE_SPACE: [noPreference, firstOf(byUnits, byBin)],
  STANDARD: [noPreference, firstOf(reversed(byUnits), byBin)],
};

const styleOf = (style: PickStyle): Style => styles[style ?? "STANDARD"];

/** The order within a bin if the style has no preference: oldest layer first, units of unknown age last. */
const byAge = firstOf<Goods>(compareBy("received_on"), compareBy("expires_on"), compareBy("lot"));

/**
 * The layers of one bin in the sequence in which they are taken.
 *
 * - FIFO takes the earliest received first, LIFO the latest received.
 * - FEFO takes the earliest expiry first. Layers without one come last.
 * - FLFO takes the lowest lot first, LLFO the highest. Lots are texts, not numbers. Layers without a lot come
 *   last.
 * - Other styles take the earliest received first, and so does every style among equal layers.
 *
 * Units outside all layers come last.
 */
export function inPickSequence<T extends Layer>(layers: readonly T[], style: PickStyle): T[] {
  const [ofLayers] = styleOf(style);
  return layers.toSorted(firstOf(ofLayers, byAge));
}

/**
 * All goods of these bins in the sequence in which they are taken.
 *
 * - FIFO, LIFO, FEFO, FLFO and LLFO go by layers across bins, as `inPickSequence` does. A bin may be a stop
 *   more than once.
 * - BIN_ASC goes by location, then bin. BIN_DESC goes the other way.
 * - SAVE_SPACE goes to the bin with the fewest units first, which empties bins.
 * - STANDARD goes to the bin with the most units first, which takes the fewest stops.
 *
 * Ties go by location, then bin. Both are compared as texts: `A10` comes before `A2`.
 */
export function stopsOf(bins: readonly StockedBin[], style: PickStyle): readonly Stop[] {
  const [ofLayers, ofBins] = styleOf(style);
  return bins
    .flatMap((from) => goodsOf(from).map((goods) => ({ from, goods })))
    .toSorted(
      firstOf(
        (left, right) => ofLayers(left.goods, right.goods),
        (left, right) => ofBins(left.from, right.from),
        (left, right) => byAge(left.goods, right.goods),
      ),
    )
    .map(({ from: { bin_id, location, bin }, goods: { quantity, lot, expires_on } }) => {
      return { bin_id, location, bin, quantity, lot, expires_on };
    });
}

function goodsOf({ quantity, layers }: StockedBin): readonly Goods[] {
  const unknown = { received_on: null, lot: null, expires_on: null, quantity: quantity - unitsIn(layers) };
  return [...layers, unknown].filter((goods) => goods.quantity > 0);
}

/**
 * Takes the first `quantity` units of the stops, or all if there are fewer. Also returns what is left for
 * later orders. Neighboring stops that differ only in their day of arrival are merged.
 */
export function takeFrom(
  stops: readonly Stop[],
  quantity: number,
): { readonly taken: readonly Stop[]; readonly left: readonly Stop[] } {
  const taken: Stop[] = [];
  const left: Stop[] = [];
  let wanted = quantity;
  for (const stop of stops) {
    const units = Math.min(stop.quantity, wanted);
    wanted -= units;
    if (units < stop.quantity) left.push({ ...stop, quantity: stop.quantity - units });
    const last = taken.at(-1);
    if (units === 0) continue;
    if (last !== undefined && isAlike(last, stop)) {
      taken[taken.length - 1] = { ...last, quantity: last.quantity + units };
    } else taken.push({ ...stop, quantity: units });
  }
  return { taken, left };
}

const isAlike = (one: Stop, other: Stop): boolean =>
  one.bin_id === other.bin_id && one.lot === other.lot && one.expires_on === other.expires_on;
