import type { Database } from "../data/database.ts";
import { findOrder, orderIdByNumber, orderIdByReference, orderIdInApi } from "../data/orders.ts";
import { idIn } from "../domain/fields.ts";
import type { Order } from "../domain/order.ts";
import { notFound } from "../domain/problem.ts";

/** What an order can be found by. */
export type OrderIdentity = "order_id" | "order_number" | "order_reference" | "order_api";

/** The id that an identifier leads to; the order itself may still not exist or be another account's. */
export async function orderIdOf(
  db: Database,
  accountId: number,
  by: OrderIdentity,
  value: string,
): Promise<number | undefined> {
  switch (by) {
    case "order_id":
      return idIn(value);
    case "order_number":
      return orderIdByNumber(db, accountId, value);
    case "order_reference":
      return orderIdByReference(db, accountId, value);
    case "order_api":
      return orderIdInApi(value);
  }
}

/**
 * The account's order that an identifier names; of several with one reference the newest.
 * @throws Problem `not_found` where it names none
 */
export async function getOrder(
  db: Database,
  accountId: number,
  by: OrderIdentity,
  value: string,
): Promise<Order> {
  const orderId = await orderIdOf(db, accountId, by, value);
  const found = orderId === undefined ? undefined : await findOrder(db, accountId, orderId);
  if (found === undefined || (by === "order_api" && found.order_api !== value)) {
    throw notFound(`There is no order with ${by} ${value}`);
  }
  return found;
}
