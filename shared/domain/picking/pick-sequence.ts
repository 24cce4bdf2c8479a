/** In which order a product's goods are taken out of bins, by its pick style (docs/decisions.md, Pick styles). */

import type { Product } from "../catalog/product.ts";
import type { Layer } from "../stock/layers.ts";

/** What a bin holds of a product. Of units beyond those of its layers nothing is known: they were counted in. */
export interface StockedBin {
  readonly bin_id: number;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
  readonly layers: readonly Layer[];
}

/** Units to be taken at one bin, of one lot and expiry. */
export interface Stop {
  readonly bin_id: number;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
  readonly lot: string | null;
  readonly expires_on: string | null;
}

/** How goods are ordered; null, where a product states none, is as STANDARD. */
export type PickStyle = Product["pick_style"];

/** A layer, or the units of a bin that belong to none. */
interface Goods extends Omit<Layer, "received_on"> {
  readonly received_on: string | null;
}

/** Below zero where `left` comes first. */
type Comparison<T> = (left: T, right: T) => number;

/** By text; what is not known comes last, whichever way the others are ordered. */
const compareTexts = (left: string | null, right: string | null, direction: 1 | -1 = 1): number => {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -direction : direction;
};

const firstOf =
  <T>(...comparisons: readonly Comparison<T>[]): Comparison<T> =>
  (left, right) => {
    for (const comparison of comparisons) {
      const sign = comparison(left, right);
      if (sign !== 0) return sign;
    }
    return 0;
  };

const byPlace: Comparison<StockedBin> = firstOf(
  (left, right) => compareTexts(left.location, right.location),
  (left, right) => compareTexts(left.bin, right.bin),
);

/** Which of two layers a style takes first, wherever they lie; 0 where it does not care. */
function layerComparison(style: PickStyle): Comparison<Goods> {
  switch (style) {
    case "FIFO":
      return (left, right) => compareTexts(left.received_on, right.received_on);
    case "LIFO":
      return (left, right) => compareTexts(left.received_on, right.received_on, -1);
    case "FEFO":
      return (left, right) => compareTexts(left.expires_on, right.expires_on);
    case "FLFO":
      return (left, right) => compareTexts(left.lot, right.lot);
    case "LLFO":
      return (left, right) => compareTexts(left.lot, right.lot, -1);
    case "BIN_ASC":
    case "BIN_DESC":
    case "SAVE_SPACE":
    case "STANDARD":
    case null:
      return () => 0;
  }
}

/** Which of two bins a style goes to first, as far as their layers leave it open. */
function binComparison(style: PickStyle): Comparison<StockedBin> {
  switch (style) {
    case "BIN_DESC":
      return (left, right) => byPlace(right, left);
    case "SAVE_SPACE":
      return firstOf((left, right) => left.quantity - right.quantity, byPlace);
    case "STANDARD":
    case null:
      return firstOf((left, right) => right.quantity - left.quantity, byPlace);
    case "FIFO":
    case "LIFO":
    case "FEFO":
    case "FLFO":
    case "LLFO":
    case "BIN_ASC":
      return byPlace;
  }
}

/** Within one bin, what a style leaves open: the oldest first, units of unknown age last. */
const byAge: Comparison<Goods> = firstOf(
  (left, right) => compareTexts(left.received_on, right.received_on),
  (left, right) => compareTexts(left.expires_on, right.expires_on),
  (left, right) => compareTexts(left.lot, right.lot),
);

/**
 * The layers of one bin in the order they are taken: FIFO the earliest received first, LIFO the latest; FEFO the
 * earliest expiry; FLFO the lowest lot, LLFO the highest (texts, not numbers); what has no expiry or no lot last. The
 * other styles, and equal layers: the earliest received first. Units that belong to no layer follow all of them.
 */
export const inPickSequence = <T extends Layer>(layers: readonly T[], style: PickStyle): T[] =>
  layers.toSorted(firstOf<Goods>(layerComparison(style), byAge));

/**
 * All that lies in these bins, in the order it is taken. FIFO, LIFO, FEFO, FLFO and LLFO go by layers, as
 * `inPickSequence` and across bins, so that a bin may be come to several times; equal ones by location, then bin.
 * BIN_ASC goes by location, then bin; BIN_DESC the other way round; SAVE_SPACE to the bin that holds least, which empties
 * bins; STANDARD to the one that holds most, which takes the fewest stops; equal ones by location, then bin.
 * Locations and bins are compared as texts: `A10` comes before `A2`.
 */
export function stopsOf(bins: readonly StockedBin[], style: PickStyle): readonly Stop[] {
  const ofLayer = layerComparison(style);
  const ofBin = binComparison(style);
  return bins
    .flatMap((held) => goodsOf(held).map((goods) => ({ held, goods })))
    .toSorted(
      firstOf(
        (left, right) => ofLayer(left.goods, right.goods),
        (left, right) => ofBin(left.held, right.held),
        (left, right) => byAge(left.goods, right.goods),
      ),
    )
    .map(({ held: { bin_id, location, bin }, goods: { quantity, lot, expires_on } }) => ({
      ...{ bin_id, location, bin },
      ...{ quantity, lot, expires_on },
    }));
}

function goodsOf({ quantity, layers }: StockedBin): readonly Goods[] {
  const unknown = layers.reduce((left, layer) => left - layer.quantity, quantity);
  const rest: Goods = { received_on: null, lot: null, expires_on: null, quantity: unknown };
  return [...layers, rest].filter((goods) => goods.quantity > 0);
}

/**
 * The first `quantity` units of what lies there, fewer where there are not enough, and what is left of it for those
 * who come later. Neighbours that only differ in the day they were received are one stop.
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
