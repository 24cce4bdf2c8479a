import type { Order } from "./order.ts";
import { isPicked } from "./order-transitions.ts";

/**
 * What the warehouse has to do with an order. `pending` and `released` orders wait for a picker. `picking` orders are
 * with their picker. `picked` orders wait for quality control.
 */
export type Work =
  | { readonly stage: "pending" }
  | { readonly stage: "released" }
  | { readonly stage: "picking"; readonly picker: string }
  | { readonly stage: "picked" };

/** The work that an order needs; undefined where there is none any more. */
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

/** Whether this picker is still picking the order. */
export function isBeingPickedBy(order: Order, picker: string): boolean {
  const work = workOf(order);
  return work?.stage === "picking" && work.picker === picker;
}
