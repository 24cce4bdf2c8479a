import { readBeside, readHistory } from "../data/order-history.ts";
import { findOrder, orderIdInApi, orderNumbers, orderReferences } from "../data/orders.ts";
import { idIn } from "../domain/fields.ts";
import type { Order } from "../domain/orders/order.ts";
import { creationEntry, type HistoryEntry } from "../domain/orders/order-history.ts";
import { notFound } from "../domain/problem.ts";
import type { AccountContext } from "./context.ts";

/** The fields that an order can be found by. */
export const orderIdentities = ["order_id", "order_number", "order_reference", "order_api"] as const;
export type OrderIdentity = (typeof orderIdentities)[number];

type Reader = Pick<AccountContext, "db" | "account_id">;

/** The id that an identifier leads to. There may still be no order with this id, or it may be another account's. */
async function orderIdOf(
  { db, account_id }: Reader,
  by: OrderIdentity,
  value: string,
): Promise<number | undefined> {
  switch (by) {
    case "order_id":
      return idIn(value);
    case "order_number":
      return orderNumbers.holder(db, account_id, value);
    case "order_reference":
      return orderReferences.newest(db, account_id, value);
    case "order_api":
      return orderIdInApi(value);
  }
}

/**
 * The account's order that an identifier names. Of several orders with one reference, it is the newest.
 * @throws Problem `not_found` where the identifier names none
 */
export async function getOrder(reader: Reader, by: OrderIdentity, value: string): Promise<Order> {
  return orderWith(reader, by, value, await orderIdOf(reader, by, value));
}

async function orderWith(
  { db, account_id }: Reader,
  by: OrderIdentity,
  value: string,
  orderId: number | undefined,
): Promise<Order> {
  const found = orderId === undefined ? undefined : await findOrder(db, account_id, orderId);
  // An order that is being given a number in steps has the old one until the last of them.
  const isNamed = by === "order_api" || by === "order_number" ? found?.[by] === value : true;
  if (found === undefined || !isNamed) {
    throw notFound(`There is no order with ${by} ${value}`);
  }
  return found;
}

/**
 * The account's order with its history, which is read at the same time as the order.
 * @throws Problem `not_found` where the identifier names none
 */
export async function getOrderWithHistory(
  reader: Reader,
  by: OrderIdentity,
  value: string,
): Promise<{ readonly order: Order; readonly history: readonly HistoryEntry[] }> {
  const orderId = await orderIdOf(reader, by, value);
  const [order, beside] = await Promise.all([
    orderWith(reader, by, value, orderId),
    orderId === undefined ? [] : readBeside(reader.db, orderId),
  ]);
  return { order, history: [creationEntry(order), ...(await readHistory(reader.db, order, beside))] };
}
