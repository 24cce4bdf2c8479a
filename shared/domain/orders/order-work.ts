import type { Order } from "./order.ts";
import { isPicked } from "./order-transitions.ts";

/**
 * What the warehouse has to do with an order: `pending` and `released` ones wait for a picker, a picker's own are
 * being picked, `picked` ones wait for quality control.
 */
export type Work =
  | { readonly stage: "pending" }
  | { readonly stage: "released" }
  | { readonly stage: "picking"; readonly picker: string }
  | { readonly stage: "picked" };

/** Undefined where nothing is to be done any more. */
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

/** Whether an order is one that this picker is still picking. */
export function isBeingPickedBy(order: Order, picker: string): boolean {
  const work = workOf(order);
  return work?.stage === "picking" && work.picker === picker;
}
