/**
 * How an order changes: one pure function for each action (docs/decisions.md, Order transitions).
 *
 *     Pending ──claim──> Processing ──ship──> Shipped
 *       │  ^                 │
 *       │  └─────revert──────┘
 *       └──cancel──> Cancelled
 *
 * Each function takes the order as it is and answers the order as it becomes, or a Problem. An action that
 * changes nothing answers the order as it is: cancelling an order twice, for example. The other actions keep
 * the status.
 */

import { isUnchanged } from "../common/deep-equal.ts";
import { type Decision, invalid, Problem } from "../common/problem.ts";
import { laterOf } from "../common/times.ts";
import { nextVersion } from "../common/versioned.ts";
import type { Customer, Order, OrderTerms } from "./order.ts";
import { isAllowed, isPicked, type OrderAction, wrongStatus } from "./order-status.ts";

export type OrderDecision = Decision<{ readonly after: Order }>;

/** "Order 1001" and `why`, the rest of the sentence. */
export const reject = (
  { order_id }: Pick<Order, "order_id">,
  why: string,
): { readonly problem: Problem } => ({
  problem: new Problem("invalid", `Order ${order_id} ${why}`, { why }),
});

/** "Order 1001 is Shipped; only a Pending order can be edited" */
export const rejectByStatus = (order: Order, action: OrderAction) =>
  reject(order, wrongStatus(order, action));

/** Replaces everything that a client decides. */
export function edit(before: Order, terms: OrderTerms, at: string): OrderDecision {
  const after = nextVersion(before, terms, at);
  return isUnchanged(before, after) || isAllowed("edit", before.status)
    ? { after }
    : rejectByStatus(before, "edit");
}

export function cancel(before: Order, at: string): OrderDecision {
  if (before.status === "Cancelled") return { after: before };
  if (!isAllowed("cancel", before.status)) return rejectByStatus(before, "cancel");
  return {
    after: nextVersion(before, { status: "Cancelled", cancelled_at: laterOf(at, before.updated_at) }, at),
  };
}

/** Sets the sub-status of an order that is not Cancelled. */
export function setSubStatus(before: Order, subStatus: string, at: string): OrderDecision {
  if (!isAllowed("setSubStatus", before.status)) return rejectByStatus(before, "setSubStatus");
  return { after: nextVersion(before, { sub_status: subStatus }, at) };
}

/** What remains of a customer whom an operator erases: the country, for statistics. */
export const erasedCustomer = ({ country }: Customer, erased_at: string): Customer => ({
  firstname: "",
  lastname: null,
  email: null,
  phone: null,
  address1: "",
  city: "",
  state: "",
  zip: "",
  country,
  erased_at,
});

/** Erases the customer of a finished order (docs/decisions.md, Erasing customers). */
export function erase(before: Order, at: string): OrderDecision {
  if (before.customer.erased_at !== undefined) return { after: before };
  if (!isAllowed("erase", before.status)) return rejectByStatus(before, "erase");
  const customer = erasedCustomer(before.customer, laterOf(at, before.updated_at));
  return { after: nextVersion(before, { customer }, at) };
}

/**
 * A picker claims the order, or an operator releases it to any picker (`picker` null), who can then claim it.
 */
export function claim(before: Order, picker: string | null, at: string): OrderDecision {
  const isClaimedAgain = before.status === "Processing" && picker !== null && before.picker === picker;
  if (isClaimedAgain) return { after: before };
  const isReleased = before.status === "Processing" && picker !== null && before.picker === null;
  if (!isReleased && !isAllowed("claim", before.status)) return rejectByStatus(before, "claim");
  return { after: nextVersion(before, { status: "Processing", picker }, at) };
}

/** The number of an order's parcel and who carries it, as far as known. */
export interface Parcel {
  readonly tracking_number?: string | undefined;
  readonly carrier?: string | undefined;
}

export function ship(before: Order, parcel: Parcel, at: string): OrderDecision {
  if (!isAllowed("ship", before.status)) return rejectByStatus(before, "ship");
  if (!isPicked(before)) return reject(before, "is not picked completely; it can't be shipped");
  const { tracking_number = null, carrier = null } = parcel;
  const shipped_at = laterOf(at, before.updated_at);
  return { after: nextVersion(before, { status: "Shipped", tracking_number, carrier, shipped_at }, at) };
}

/**
 * Takes the order from its picker by the job `revertedBy`, and forgets what was picked. `last` is the job
 * that had last reverted the order when this job was accepted. If another job has reverted the order since, a
 * picker has started again, and this job must not interfere.
 */
export function revert(
  before: Order,
  { revertedBy, last }: { readonly revertedBy: number; readonly last: number | null },
  at: string,
): OrderDecision {
  if (!isAllowed("revert", before.status)) return rejectByStatus(before, "revert");
  if ((before.reverted_by ?? null) !== last) {
    return reject(before, `left Processing meanwhile: revert ${before.reverted_by} was applied`);
  }
  return {
    after: nextVersion(before, { status: "Pending", picker: null, picks: [], reverted_by: revertedBy }, at),
  };
}

/** Sets the weight, in pounds, by the job `weighedBy`. The weight of a job that was accepted later stays. */
export function weigh(
  before: Order,
  { weight, weighedBy }: { readonly weight: number; readonly weighedBy: number },
  at: string,
): OrderDecision {
  if (!isAllowed("weigh", before.status)) return rejectByStatus(before, "weigh");
  const { weighed_by: later = 0 } = before;
  if (later > weighedBy) return { problem: invalid(`superseded by weight ${later}, a later one`) };
  const weight_updated_at = laterOf(at, before.updated_at);
  return { after: nextVersion(before, { weight, weight_updated_at, weighed_by: weighedBy }, at) };
}
