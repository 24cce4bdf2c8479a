/** The work that an order needs from the warehouse, and how much of its picking is left. */
import type { Order } from "./order.ts";

/** The units of each product that are still to be picked for an order, by product id. */
export function unpicked({ items, picks }: Order): ReadonlyMap<number, number> {
  const open = new Map<number, number>();
  for (const { product_id, quantity } of items) open.set(product_id, (open.get(product_id) ?? 0) + quantity);
  for (const { product_id, quantity } of picks) open.set(product_id, (open.get(product_id) ?? 0) - quantity);
  return open;
}

export const isPicked = (order: Order): boolean => [...unpicked(order).values()].every((left) => left === 0);

/**
 * `pending` and `released` orders wait for a picker, `picking` orders are with their picker, and `picked`
 * orders wait for quality control.
 */
export type Work =
  | { readonly stage: "pending" }
  | { readonly stage: "released" }
  | { readonly stage: "picking"; readonly picker: string }
  | { readonly stage: "picked" };

/** The work that an order needs; undefined if it is done. */
export function workOf(order: Order): Work | undefined {
  switch (order.status) {
    case "Pending":
      return { stage: "pending" };
    case "Processing":
      if (isPicked(order)) return { stage: "picked" };
      return order.picker === null ? { stage: "released" } : { stage: "picking", picker: order.picker };
    case "Shipped":
    case "Cancelled":
      return undefined;
  }
}

/** Whether the order is picked completely, and not shipped yet. */
export const awaitsQualityControl = (order: Order): boolean => workOf(order)?.stage === "picked";

/** Whether this picker is still picking the order. */
export function isBeingPickedBy(order: Order, picker: string): boolean {
  const work = workOf(order);
  return work?.stage === "picking" && work.picker === picker;
}
