import {
  beforeOldest,
  ordersOfPicker,
  pendingOrders,
  type ReadWork,
  releasedOrders,
} from "../data/order-work.ts";
import { findAnyOrders } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import { claim } from "../domain/orders/order-transitions.ts";
import { isBeingPickedBy } from "../domain/orders/order-work.ts";
import { transact, untilFresh } from "../store/transact.ts";
import { planOrderChange } from "./change-orders.ts";
import type { Context } from "./context.ts";

/** Someone who picks, under a user name. */
export interface Claimant extends Context {
  readonly picker: string;
}

/**
 * What a picker has to pick, at most `limit` orders: the open ones that are the picker's already, oldest first; then
 * released ones and the oldest Pending ones, which become the picker's. No order becomes two pickers': a claim that
 * comes too late goes on to the next order. Should it fail on the way, those claimed by then are the picker's, and the
 * next call begins with them.
 */
export async function ordersToPick(claimant: Claimant, limit: number): Promise<readonly Order[]> {
  const { db } = claimant;
  const entries = await ordersOfPicker(db, claimant.picker, mostOpen);
  const found = await findAnyOrders(
    db,
    entries.map(({ order_id }) => order_id),
  );
  const open = [...found].filter(([, order]) => isBeingPickedBy(order, claimant.picker));
  const orders = new Map(open.slice(0, limit));
  await claimInto(orders, releasedOrders, claimant, limit);
  await claimInto(orders, pendingOrders, claimant, limit);
  return [...orders.values()];
}

/** Entries of one picker that are looked at; the index follows late, so some may be of orders that are picked by now. */
const mostOpen = 200;

/** Most orders claimed in one transaction, which holds 4 MB; the largest order comes to some 200 KB with its history. */
const mostClaims = 15;

/** Claims waiting orders, oldest first, until `orders` are so many or none waits. */
async function claimInto(
  orders: Map<number, Order>,
  waiting: ReadWork,
  claimant: Claimant,
  limit: number,
): Promise<void> {
  let after = beforeOldest;
  while (orders.size < limit) {
    const entries = await waiting(claimant.db, after, Math.min(limit - orders.size, mostClaims));
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.work_at;
    const ids = entries.map(({ order_id }) => order_id).filter((id) => !orders.has(id));
    for (const order of await claimThose(claimant, ids)) orders.set(order.order_id, order);
  }
}

/**
 * Claims those of the orders that may still be claimed, together: they are mostly of few accounts, whose tallies would
 * meet in transactions of their own.
 */
const claimThose = ({ picker, ...context }: Claimant, ids: readonly number[]): Promise<readonly Order[]> =>
  untilFresh(async () => {
    const { db } = context;
    const found = await findAnyOrders(db, ids);
    const plans = ids
      .map((order_id) => ({
        order_id,
        path: "order_id",
        decide: (before: Order, at: string) => claim(before, picker, at),
      }))
      .map((change) => planOrderChange(context, change, found.get(change.order_id)))
      .filter((plan) => "result" in plan);
    await transact(
      db,
      plans.flatMap(({ writes }) => writes),
    );
    return plans.map(({ result }) => result).filter((order) => isBeingPickedBy(order, picker));
  });
