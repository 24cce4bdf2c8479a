/** What may become of an order, one pure function for each transition (docs/decisions.md, Order transitions). */

import { laterOf } from "../common/days.ts";
import { invalid, Problem } from "../common/problem.ts";
import { nextVersion } from "../common/versioned.ts";
import type { MovementReason } from "../stock/stock.ts";
import type { Order, OrderStatus, OrderTerms } from "./order.ts";

/** The order as it becomes, or why it may not be changed so. `after` is `before` itself where nothing changes. */
export type OrderDecision = { readonly after: Order } | { readonly problem: Problem };

/** The reason of stock movements, by the status that the order has after its change. */
export function movementReasonOf({ status }: Order): MovementReason {
  switch (status) {
    case "Pending":
    case "Processing":
      return "order_updated";
    case "Shipped":
      return "order_shipped";
    case "Cancelled":
      return "order_cancelled";
  }
}

/** The rejection of a change: "Order 1001" and `why`, which is the rest of the sentence. */
export const orderRefused = ({ order_id }: Pick<Order, "order_id">, why: string): Problem =>
  new Problem("invalid", `Order ${order_id} ${why}`, { why });

/** The rejection by status: "Order 1001 is Shipped; only a Pending order can be edited" */
export const notIn = (order: Order, only: OrderStatus | "Processing or Shipped", what: string): Problem =>
  orderRefused(order, `is ${order.status}; only a ${only} order can be ${what}`);

const refused = (...why: Parameters<typeof notIn>): OrderDecision => ({ problem: notIn(...why) });

/** Replaces everything that a client decides. Only a Pending order can be edited; the same terms change no order. */
export function edit(before: Order, terms: OrderTerms, at: string): OrderDecision {
  const after = nextVersion(before, terms, at);
  return after === before || before.status === "Pending" ? { after } : refused(before, "Pending", "edited");
}

/** Pending → Cancelled. A Cancelled order stays as it is. */
export function cancel(before: Order, at: string): OrderDecision {
  switch (before.status) {
    case "Pending":
      return {
        after: nextVersion(before, { status: "Cancelled", cancelled_at: laterOf(at, before.updated_at) }, at),
      };
    case "Cancelled":
      return { after: before };
    case "Processing":
    case "Shipped":
      return refused(before, "Pending", "cancelled");
  }
}

/** Sets the sub-status of an order that is not Cancelled. The status stays. */
export function annotate(before: Order, subStatus: string, at: string): OrderDecision {
  if (before.status === "Cancelled") {
    return { problem: orderRefused(before, "is Cancelled; its sub_status cannot change") };
  }
  return { after: nextVersion(before, { sub_status: subStatus }, at) };
}

/**
 * Pending → Processing: a picker claims the order, or an operator releases it (`picker` null). Any picker can claim a
 * released order. An order that the picker has claimed before stays as it is.
 */
export function claim(before: Order, picker: string | null, at: string): OrderDecision {
  const isUnderway = before.status === "Processing" && picker !== null;
  if (isUnderway && before.picker === picker) return { after: before };
  const isReleased = isUnderway && before.picker === null;
  if (before.status !== "Pending" && !isReleased) return refused(before, "Pending", "claimed");
  return { after: nextVersion(before, { status: "Processing", picker }, at) };
}

/** The units of each product that are still to be picked for an order, by product id. */
export function unpicked({ items, picks }: Order): ReadonlyMap<number, number> {
  const open = new Map<number, number>();
  for (const { product_id, quantity } of items) open.set(product_id, (open.get(product_id) ?? 0) + quantity);
  for (const { product_id, quantity } of picks) open.set(product_id, (open.get(product_id) ?? 0) - quantity);
  return open;
}

export const isPicked = (order: Order): boolean => [...unpicked(order).values()].every((left) => left === 0);

/** What ships an order, as far as it is known. */
export interface Dispatch {
  readonly tracking_number?: string | undefined;
  readonly carrier?: string | undefined;
}

/** Processing → Shipped, once everything is picked. */
export function ship(before: Order, dispatch: Dispatch, at: string): OrderDecision {
  if (before.status !== "Processing") return refused(before, "Processing", "shipped");
  if (!isPicked(before)) {
    return { problem: orderRefused(before, "is not picked completely; it can't be shipped") };
  }
  const { tracking_number = null, carrier = null } = dispatch;
  const shipped_at = laterOf(at, before.updated_at);
  return { after: nextVersion(before, { status: "Shipped", tracking_number, carrier, shipped_at }, at) };
}

/**
 * Processing → Pending by the job `revertedBy`. The order has no picker and no picks then, and its goods go back into
 * their bins. `last` is the job that had reverted the order last when this job was accepted. If another job reverted
 * the order meanwhile, a picker began anew, and this job must not interfere.
 */
export function revert(
  before: Order,
  { revertedBy, last }: { readonly revertedBy: number; readonly last: number | null },
  at: string,
): OrderDecision {
  if (before.status !== "Processing") return refused(before, "Processing", "reverted to Pending");
  if ((before.reverted_by ?? null) !== last) {
    const why = `left Processing meanwhile: revert ${before.reverted_by} was applied`;
    return { problem: orderRefused(before, why) };
  }
  return {
    after: nextVersion(before, { status: "Pending", picker: null, picks: [], reverted_by: revertedBy }, at),
  };
}

/** Whether an order of this status may be weighed, because it is being packed or on its way. */
export function isWeighable(status: OrderStatus): boolean {
  switch (status) {
    case "Processing":
    case "Shipped":
      return true;
    case "Pending":
    case "Cancelled":
      return false;
  }
}

/** Sets the weight, in pounds, by the job `weighedBy`. The weight of a job that was accepted later stays. */
export function weigh(
  before: Order,
  { weight, weighedBy }: { readonly weight: number; readonly weighedBy: number },
  at: string,
): OrderDecision {
  if (!isWeighable(before.status)) return refused(before, "Processing or Shipped", "weighed");
  const { weighed_by: later = 0 } = before;
  if (later > weighedBy) return { problem: invalid(`superseded by weight ${later}, a later one`) };
  return { after: nextVersion(before, { weight, weight_updated_at: at, weighed_by: weighedBy }, at) };
}
