/**
 * Erases the customers of orders (docs/decisions.md, Erasing customers). The order's own item comes first:
 * what is published, answered or set aside from then on has no customer. Calls and deliveries that have read
 * the customer may still store an answer, so answers are erased once these have ended. Every step can be
 * repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { dayLength } from "../../../shared/common/times.ts";
import { daysStored } from "../../../shared/events/event.ts";
import { changeOrder } from "../../../shared/orders/change-orders.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { erase } from "../../../shared/orders/order-transitions.ts";
import { orderList, orders } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { Busy } from "../../../shared/store/dynamodb/retry.ts";
import { isUnreadable } from "../../../shared/store/layouts/unreadable.ts";
import { operatorContext } from "../cli/context.ts";
import { deliveryLimitMs } from "../events/align.ts";
import {
  type Erased,
  type ErasedOrders,
  eraseInAnswers,
  eraseInDeliveries,
  eraseInFeed,
  eraseSetAside,
  forEachReadable,
  type OnUnreadable,
} from "./erased-copies.ts";

export interface ErasedOrder {
  readonly order_id: number;
  /** `unpublished`: its changes are not published yet, so the command has to be run again. */
  readonly outcome: "erased" | "erased before" | "unpublished" | "refused";
  readonly reason?: string;
}

export type Erasure = Awaited<ReturnType<typeof eraseCustomers>>;

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
    if (error instanceof Problem && !(error instanceof Busy))
      return { refused: { order_id: orderId, reason: error.message } };
    if (isUnreadable(error)) return { refused: { order_id: orderId, reason: "it can't be read" } };
    throw error;
  }
}

interface Options {
  /** How long to wait, once all orders are erased, until their changes are published. */
  readonly waitMs: number;
  /** How long a call or a delivery that has read a customer may still store an answer with it. */
  readonly settleMs: number;
  readonly advance: () => void;
  readonly onUnreadable: OnUnreadable;
}

/** @returns `copies`: how many items besides the orders had a customer, by where they were */
export async function eraseCustomers(
  db: Database,
  orderIds: readonly number[],
  { waitMs, settleMs, advance, onUnreadable }: Options,
) {
  const refused: ErasedOrder[] = [];
  const erased = new Map<number, Erased>();
  const isNew = new Set<number>();
  await forEachConcurrently(new Set(orderIds), async (orderId) => {
    const outcome = await eraseOrder(db, orderId);
    if (outcome.order === undefined) refused.push({ ...outcome.refused, outcome: "refused" });
    else erased.set(orderId, outcome.order);
    if (outcome.isNew === true) isNew.add(orderId);
    advance();
  });
  const copies = { events: 0, set_aside: 0, deliveries: 0, answers: 0 };
  if (erased.size === 0) return { orders: refused.toSorted(byId), copies };
  const published = await eraseUntilPublished(db, erased, waitMs, onUnreadable);
  if (db.dryRun === undefined) await sleep(settleMs);
  const accounts = new Set([...erased.values()].map(({ account_id }) => account_id));
  const deliveries = await eraseInDeliveries(db, accounts, published.eventIds, onUnreadable);
  const answers = await eraseInAnswers(db, erased, onUnreadable);
  const done = [...erased.keys()].map((order_id): ErasedOrder => {
    const outcome = isNew.has(order_id) ? "erased" : "erased before";
    return { order_id, outcome: published.open.has(order_id) ? "unpublished" : outcome };
  });
  return {
    orders: [...refused, ...done].toSorted(byId),
    copies: { events: published.events, set_aside: published.set_aside, deliveries, answers },
  };
}

const byId = (left: ErasedOrder, right: ErasedOrder): number => left.order_id - right.order_id;

/**
 * Erases the customers in events and in changes that are set aside, until the current version of each order
 * is among them.
 * @returns also the orders that are still `open` when the time is up
 */
async function eraseUntilPublished(
  db: Database,
  erased: ErasedOrders,
  waitMs: number,
  onUnreadable: OnUnreadable,
) {
  const deadline = Date.now() + waitMs;
  // What was changed before is published, or will never be.
  const oldest = new Date(Date.now() - deliveryLimitMs).toISOString();
  const found = { events: 0, set_aside: 0, eventIds: new Set<string>() };
  for (let open = erased; ; await sleep(pauseMs)) {
    const published = new Set<number>();
    await forEachConcurrently(open.values(), async (order) => {
      const setAside = await eraseSetAside(db, order);
      found.set_aside += setAside.rewritten;
      if (setAside.isPublished) published.add(order.order_id);
    });
    const feed = await eraseInFeed(db, open.values(), erased, onUnreadable);
    found.events += feed.batches;
    for (const id of feed.eventIds) found.eventIds.add(id);
    const isOpen = ({ order_id, customer }: Erased) =>
      !published.has(order_id) && !feed.published.has(order_id) && (customer.erased_at ?? "") >= oldest;
    open = new Map(db.dryRun === undefined ? [...open].filter(([, order]) => isOpen(order)) : []);
    if (open.size === 0 || Date.now() >= deadline) return { ...found, open };
  }
}

/** Copies of an order have expired by then, except those that are set aside. */
const copiesDays = daysStored + 1;

export interface Sought {
  readonly orders: readonly number[];
  /** Orders that were erased lately: an erasure that was interrupted may have left copies of them. */
  readonly earlier: readonly number[];
}

/**
 * The orders of customers with this email address, in any case, and those that were erased lately. Scans the
 * table of orders.
 */
export async function ordersWithEmail(
  db: Database,
  email: string,
  accountId: number | undefined,
  onUnreadable: OnUnreadable,
): Promise<Sought> {
  const found = { orders: new Set<number>(), earlier: new Set<number>() };
  const sought = email.toLowerCase();
  const since = new Date(Date.now() - copiesDays * dayLength).toISOString();
  const stored = { table: orderList.table, partition: orderList.name };
  await forEachReadable(db, stored, onUnreadable, (item) => {
    if (accountId !== undefined && item["account_id"] !== accountId) return;
    const { order_id, customer } = orders.parse(item);
    if (customer.email?.toLowerCase() === sought) found.orders.add(order_id);
    if ((customer.erased_at ?? "") >= since) found.earlier.add(order_id);
  });
  const rising = (ids: ReadonlySet<number>) => [...ids].toSorted((left, right) => left - right);
  return { orders: rising(found.orders), earlier: rising(found.earlier) };
}
