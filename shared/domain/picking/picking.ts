/** Taking goods out of bins for an order; pure. */

import { type Order, type OrderPick, pickPlaceOf } from "../orders/order.ts";
import { notIn, type OrderDecision, revised, unpicked } from "../orders/order-transitions.ts";
import { type FieldError, invalid, invalidAt, type Problem } from "../problem.ts";
import { combined, mostLayers } from "../stock/layers.ts";

/** Most places and serials together that an order is picked from: with the order and its history they fit one transaction. */
export const mostPickPlaces = 90;

/** Why the user may not pick the order, where that is so: it is not Processing, or not this picker's. */
export function pickRefusal(before: Order, userName: string): Problem | undefined {
  const { order_id, status, picker } = before;
  if (status !== "Processing") return notIn(before, "Processing", "picked");
  if (picker === userName) return undefined;
  if (picker === null) return invalid(`Order ${order_id} has no picker; claim it before you pick it`);
  return invalid(`Order ${order_id} is picked by ${picker}; only its own picker can pick it`);
}

/**
 * Takes goods for a Processing order by its own picker: no more than is ordered, and from the center that they are
 * reserved in. A refused pick is named by its position (`picks.0.quantity`).
 */
export function pick(
  before: Order,
  { userName, picks }: { readonly userName: string; readonly picks: readonly OrderPick[] },
  at: string,
): OrderDecision {
  const refusal = pickRefusal(before, userName);
  if (refusal !== undefined) return { problem: refusal };
  const errors = unwanted(before, picks);
  if (errors.length > 0) return { problem: invalidAt(errors) };
  const all = byPlace([...before.picks, ...picks]);
  const excess = tooMany(all);
  if (excess !== undefined) {
    return { problem: invalid(`Order ${before.order_id} can be picked from at most ${excess}`) };
  }
  return { after: revised(before, { picks: all }, at) };
}

/** What there are too many of, with how many there may be. */
function tooMany(picks: readonly OrderPick[]): string | undefined {
  const serials = picks.flatMap((one) => one.serials).length;
  if (picks.length + serials > mostPickPlaces) {
    return serials === 0 ? `${mostPickPlaces} places` : `${mostPickPlaces} places and serials together`;
  }
  return picks.flatMap(({ layers }) => layers).length > mostLayers
    ? `${mostLayers} lots and days of arrival`
    : undefined;
}

/** What is wrong with these picks of an order, each after those before it. */
function unwanted(before: Order, picks: readonly OrderPick[]): readonly FieldError[] {
  const open = new Map(unpicked(before));
  return picks.flatMap(({ product_id, sku, location, distribution_center_id, quantity }, position) => {
    const path = `picks.${position}`;
    const left = open.get(product_id);
    if (left === undefined) return [{ path: `${path}.sku`, message: `is not in the order (${sku})` }];
    const isReservedHere = before.items.some(
      (item) => item.product_id === product_id && item.distribution_center_id === distribution_center_id,
    );
    if (!isReservedHere) {
      const message = `is in another distribution center than the order's ${sku} (${location})`;
      return [{ path: `${path}.location`, message }];
    }
    if (quantity > left) {
      return [
        { path: `${path}.quantity`, message: `is more than the order still needs of ${sku} (${left})` },
      ];
    }
    open.set(product_id, left - quantity);
    return [];
  });
}

/** One pick for each place, however often it is picked from. */
function byPlace(picks: readonly OrderPick[]): OrderPick[] {
  const places = new Map<string, OrderPick>();
  for (const latest of picks) {
    const place = pickPlaceOf(latest);
    const earlier = places.get(place);
    places.set(place, {
      ...latest,
      quantity: latest.quantity + (earlier?.quantity ?? 0),
      layers: combined([...(earlier?.layers ?? []), ...latest.layers]),
      serials: [...(earlier?.serials ?? []), ...latest.serials],
    });
  }
  return [...places.values()];
}

/** How far a product of an order is picked, in units, all its lines together. */
export interface PickProgress {
  readonly product_id: number;
  readonly sku: string;
  readonly quantity: number;
  readonly picked: number;
  readonly remaining: number;
}

/** How far the order is picked, product by product. */
export function pickProgress(order: Order): PickProgress[] {
  const open = unpicked(order);
  return [...Map.groupBy(order.items, ({ product_id }) => product_id)].map(([product_id, lines]) => {
    const quantity = lines.reduce((sum, line) => sum + line.quantity, 0);
    const remaining = open.get(product_id) ?? 0;
    return { product_id, sku: lines[0]?.sku ?? "", quantity, picked: quantity - remaining, remaining };
  });
}
