import { pickedOrders } from "../data/order-work.ts";
import { findAnyOrders } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import { workOf } from "../domain/orders/order-work.ts";
import type { Database } from "../store/database.ts";
import type { Page } from "../store/lists/pages.ts";

/** One page of the completely picked orders, the oldest first, and how many there are. */
export async function listShipments(
  db: Database,
  { page, per_page }: { readonly page: number; readonly per_page: number },
): Promise<Page<Order>> {
  const entries = await pickedOrders(db);
  const ids = entries.slice((page - 1) * per_page, page * per_page).map(({ order_id }) => order_id);
  const found = [...(await findAnyOrders(db, ids)).values()];
  const records = found.filter((order) => workOf(order)?.stage === "picked");
  // What the index still shows, though it has left, is not counted.
  return { records, total: entries.length - (ids.length - records.length) };
}
