/** What became of orders, change by change: who, what, when. Written with the change, in its transaction. */
import * as z from "zod/mini";
import type { Order } from "../domain/orders/order.ts";
import { type HistoryEntry, historyEntry, historyOf } from "../domain/orders/order-history.ts";
import type { Database } from "../store/database.ts";
import { joined, padded } from "../store/keys.ts";
import { queryOnce } from "../store/reads.ts";
import { type Insert, stale } from "../store/writes.ts";

const table = "orders";

const partition = (orderId: number): string => joined("history", orderId);

export const insertHistory = (before: Order, after: Order, by: string): Insert => ({
  kind: "insert",
  table,
  item: {
    pk: partition(after.order_id),
    sk: padded(after.version),
    ...historyOf(before, after, by),
  },
  // The order's version vouches for the key.
  own: true,
  refusal: stale,
});

/** Most changes that are shown: an order that has more was changed by a machine in a loop. */
export const mostShown = 1000;

/**
 * The latest changes of an order, oldest first, without its creation: as many as one call to the database hands out
 * (1 MB), so that the history of an order that was edited without end still fits an answer.
 */
export async function readHistory(db: Database, orderId: number): Promise<readonly HistoryEntry[]> {
  const items = await queryOnce(db, {
    table,
    pk: partition(orderId),
    direction: "desc",
    limit: mostShown,
  });
  return items.map((item) => z.parse(historyEntry, item)).reverse();
}
