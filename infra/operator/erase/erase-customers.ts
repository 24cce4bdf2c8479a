/**
 * Erases the customers of orders (docs/decisions.md, Erasing customers). The order's own item comes first:
 * what is published, answered or set aside from then on has no customer. Every step can be repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { changeOrder } from "../../../shared/orders/change-orders.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { erase } from "../../../shared/orders/order-transitions.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { scanPages } from "../../../shared/store/dynamodb/scan.ts";
import { orderList } from "../../../shared/store/lists/definitions.ts";
import { operatorContext } from "../cli/session.ts";
import {
  type Erased,
  eraseInAnswers,
  eraseInDeliveries,
  eraseInFeed,
  eraseSetAside,
} from "./erased-copies.ts";

/** The outcome for an order. */
export interface ErasedOrder {
  readonly order_id: number;
  /** `unpublished`: its changes are not published yet, so the command has to be run again. */
  readonly outcome: "erased" | "erased before" | "unpublished" | "refused";
  readonly reason?: string;
}

export interface Erasure {
  readonly orders: readonly ErasedOrder[];
  /** Items besides the orders that had a customer: of the feed, set aside, deliveries, kept answers. */
  readonly copies: Readonly<Record<"events" | "set_aside" | "deliveries" | "answers", number>>;
}

/** A stream retains changes for 24 hours. What is older is published, or will never be. */
const streamMs = 25 * 60 * 60 * 1000;

const pauseMs = 500;

/** The order with its customer erased, or why it can't be; `isNew` if this call erases it. */
async function eraseOrder(db: Database, orderId: number) {
  let isNew = false;
  const decide = async (before: Order, at: string) => {
    isNew = before.customer.erased_at === undefined;
    return erase(before, at);
  };
  try {
    const order = await changeOrder(operatorContext(db), orderId, decide, (after) => after);
    return { order, isNew };
  } catch (error) {
    if (error instanceof Problem) return { refused: { order_id: orderId, reason: error.message } };
    throw error;
  }
}

/**
 * @param waitMs how long to wait until the changes of the orders are published
 * @param advance is called for each order that is done
 */
export async function eraseCustomers(
  db: Database,
  orderIds: readonly number[],
  { waitMs, advance }: { readonly waitMs: number; readonly advance: () => void },
): Promise<Erasure> {
  const outcomes: ErasedOrder[] = [];
  const erased = new Map<number, Erased>();
  const copies = { events: 0, set_aside: 0, deliveries: 0, answers: 0 };
  const sequences = new Map<number, Set<number>>();
  const deadline = Date.now() + (db.dryRun === undefined ? waitMs : 0);
  await forEachConcurrently(new Set(orderIds), async (orderId) => {
    const { order, isNew, refused } = await eraseOrder(db, orderId);
    if (order === undefined) outcomes.push({ ...refused, outcome: "refused" });
    else {
      erased.set(orderId, order);
      const isPublished = await untilPublished(db, order, deadline, copies, sequences);
      const done = isNew ? "erased" : "erased before";
      outcomes.push({ order_id: orderId, outcome: isPublished ? done : "unpublished" });
    }
    advance();
  });
  for (const [accountId, some] of sequences)
    copies.deliveries += await eraseInDeliveries(db, accountId, some);
  if (erased.size > 0) copies.answers = await eraseInAnswers(db, erased);
  return { orders: outcomes.toSorted((left, right) => left.order_id - right.order_id), copies };
}

/** Erases an order's events until that of its erasure is published. @returns false if it is not in time */
async function untilPublished(
  db: Database,
  order: Erased,
  deadline: number,
  copies: { events: number; set_aside: number },
  sequences: Map<number, Set<number>>,
): Promise<boolean> {
  const isOld = Date.parse(order.customer.erased_at ?? "") < Date.now() - streamMs;
  for (;;) {
    const setAside = await eraseSetAside(db, order);
    const feed = await eraseInFeed(db, order);
    copies.events += feed.batches;
    copies.set_aside += setAside.rewritten;
    const own = sequences.get(order.account_id) ?? new Set();
    for (const sequence of feed.sequences) own.add(sequence);
    sequences.set(order.account_id, own);
    if (feed.isPublished || setAside.isPublished || isOld || db.dryRun !== undefined) return true;
    if (Date.now() >= deadline) return false;
    await sleep(pauseMs);
  }
}

/** The orders of customers with this email address, in any case. Scans the table of orders. */
export async function ordersWithEmail(db: Database, email: string, accountId?: number): Promise<number[]> {
  const found: number[] = [];
  const sought = email.toLowerCase();
  for await (const items of scanPages(db, { table: orderList.table, partitions: [`${orderList.name}#`] }))
    for (const item of items) {
      if (accountId !== undefined && item["account_id"] !== accountId) continue;
      const { order_id, customer } = orders.parse(item);
      if (customer.email?.toLowerCase() === sought) found.push(order_id);
    }
  return found.toSorted((left, right) => left - right);
}
