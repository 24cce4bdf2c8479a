/**
 * The orders of all accounts that wait for quality control, page by page, with an exact total. Reading a page costs the
 * same however many there are. Each block of ids has a count of its picked orders, changed in the transactions that
 * change the orders. The counts tell the total, and in which block a page begins. Of the index, only that block's
 * entries up to the page are read: at most 1,000, and the page.
 */
import * as z from "zod/mini";
import type { Order } from "../domain/orders/order.ts";
import { workOf } from "../domain/orders/order-work.ts";
import type { Database } from "../store/database.ts";
import { type Key, padded } from "../store/keys.ts";
import { orderList } from "../store/lists/definitions.ts";
import { queryRange } from "../store/reads.ts";
import { Busy } from "../store/retry.ts";
import { commit } from "../store/transact.ts";
import { stale, type Write } from "../store/writes.ts";
import { pickedOrders } from "./order-work.ts";

const { table, blockSize } = orderList;

const pk = "picked-orders";

const countKey = (block: number): Key => ({ pk, sk: padded(block) });

const count = z.object({ sk: z.string(), orders: z.int() });

const isPicked = (order: Order): boolean => workOf(order)?.stage === "picked";

/** Counts an order that waits for quality control from now on, or no longer. */
export function countPicked(before: Order, after: Order): readonly Write[] {
  const orders = Number(isPicked(after)) - Number(isPicked(before));
  if (orders === 0) return [];
  const key = countKey(Math.floor(after.order_id / blockSize));
  return [{ kind: "count", table, key, add: { orders } }];
}

/** Some of the picked orders, and how many there are in all. */
interface PickedOrders {
  readonly ids: readonly number[];
  readonly total: number;
}

/** The picked orders by their ids: at most `limit` of them, after the first `skipped`. */
export async function pickedPage(db: Database, skipped: number, limit: number): Promise<PickedOrders> {
  const counts = (await queryRange(db, { table, pk })).map((item) => z.parse(count, item));
  await forgetEmpty(
    db,
    counts.flatMap(({ sk, orders }) => (orders === 0 ? [{ pk, sk }] : [])),
  );
  const total = counts.reduce((sum, { orders }) => sum + orders, 0);
  let left = skipped;
  for (const { sk, orders } of counts) {
    if (left < orders) {
      const entries = await pickedOrders(db, Number(sk) * blockSize, left + limit);
      return { ids: entries.slice(left).map(({ order_id }) => order_id), total };
    }
    left -= orders;
  }
  return { ids: [], total };
}

/** Most counts that a call forgets; the next call forgets more. */
const mostForgotten = 50;

/** Removes counts of 0, so that they do not pile up. Where an order was counted meanwhile, they stay for now. */
async function forgetEmpty(db: Database, keys: readonly Key[]): Promise<void> {
  const when = [{ attribute: "orders", equals: 0 }] as const;
  const removals = keys
    .slice(0, mostForgotten)
    .map((key): Write => ({ kind: "removal", table, key, when, refusal: stale }));
  try {
    await commit(db, removals);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}
