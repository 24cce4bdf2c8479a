import type { Database } from "../data/database.ts";
import {
  beginning,
  ordersOfPicker,
  pendingOrders,
  type ReadWork,
  releasedOrders,
} from "../data/order-work.ts";
import { findAnyOrders } from "../data/orders.ts";
import type { Order } from "../domain/order.ts";
import { isBeingPickedBy } from "../domain/order-work.ts";
import { Problem } from "../domain/problem.ts";
import { claimOrder } from "./advance-order.ts";
import type { ChangeContext } from "./change-orders.ts";

/** Someone who picks, under a user name. */
export interface Claimant extends ChangeContext {
  readonly picker: string;
}

/**
 * What a picker has to pick, at most `limit` orders: the open ones that are the picker's already, oldest first; then
 * released ones and the oldest Pending ones, which become the picker's. No order becomes two pickers': a claim that
 * comes too late goes on to the next order. Should it fail on the way, those claimed by then are the picker's, and the
 * next call begins with them.
 */
export async function ordersToPick(
  db: Database,
  claimant: Claimant,
  limit: number,
): Promise<readonly Order[]> {
  const entries = await ordersOfPicker(db, claimant.picker, limit);
  const found = await findAnyOrders(
    db,
    entries.map(({ order_id }) => order_id),
  );
  const orders = new Map([...found].filter(([, order]) => isBeingPickedBy(order, claimant.picker)));
  await claimInto(orders, releasedOrders, db, claimant, limit);
  await claimInto(orders, pendingOrders, db, claimant, limit);
  return [...orders.values()];
}

/** Claims waiting orders, oldest first, until `orders` are so many or none waits. */
async function claimInto(
  orders: Map<number, Order>,
  waiting: ReadWork,
  db: Database,
  claimant: Claimant,
  limit: number,
): Promise<void> {
  let after = beginning;
  while (orders.size < limit) {
    const entries = await waiting(db, after, limit - orders.size);
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.work_at;
    const claims = entries
      .filter(({ order_id }) => !orders.has(order_id))
      .map(({ order_id }) => claimUnlessLost(db, claimant, order_id));
    for (const order of await Promise.all(claims)) {
      if (order !== undefined) orders.set(order.order_id, order);
    }
  }
}

/** Undefined where somebody else was faster, or the order is not to be picked any more. */
async function claimUnlessLost(
  db: Database,
  { picker, ...context }: Claimant,
  orderId: number,
): Promise<Order | undefined> {
  try {
    const order = await claimOrder(db, context, orderId, picker);
    return isBeingPickedBy(order, picker) ? order : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
