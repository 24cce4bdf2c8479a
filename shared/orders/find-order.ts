/**
 * Reads orders as a client names them. `getOrder` rejects the call if there is none; `findOrderBy` and
 * `findOrdersBy` leave that to the flow. Flows that know ids use the repository: `orders.find` and
 * `orders.findAll`.
 */
import { mapConcurrently } from "../common/concurrency.ts";
import { parseId } from "../common/fields.ts";
import { notFound, type Problem } from "../common/problem.ts";
import type { AccountReader } from "../runtime/context.ts";
import { maxParallelCalls } from "../store/dynamodb/reads.ts";
import {
  orderIdInApi,
  orderNumbers,
  orderReferences,
  orders,
  type StoredOrder,
} from "./storage/order-repository.ts";

/** The fields by which an order can be found. */
export const orderIdentities = ["order_id", "order_number", "order_reference", "order_api"] as const;
export type OrderIdentity = (typeof orderIdentities)[number];

/**
 * The id that an identifier leads to. There may still be no order with this id, or it may be another
 * account's.
 */
async function orderIdOf(
  { db, account_id }: AccountReader,
  by: OrderIdentity,
  value: string,
): Promise<number | undefined> {
  switch (by) {
    case "order_id":
      return parseId(value);
    case "order_number":
      return orderNumbers.holder(db, account_id, value);
    case "order_reference":
      return orderReferences.newest(db, account_id, value);
    case "order_api":
      return orderIdInApi(value);
  }
}

/** An order that was read by its id, if the identifier still names it. */
function ifNamed(found: StoredOrder | undefined, by: OrderIdentity, value: string): StoredOrder | undefined {
  // While a saga gives an order another number, the order has the old one. A call may also have given it
  // another number or reference since its id was looked up.
  const isNamed = by === "order_id" || found?.record[by] === value;
  return isNamed ? found : undefined;
}

/** The account's order that an identifier names. Of several orders with one reference, it is the newest. */
export async function findOrderBy(
  reader: AccountReader,
  by: OrderIdentity,
  value: string,
): Promise<StoredOrder | undefined> {
  const orderId = await orderIdOf(reader, by, value);
  const found = orderId === undefined ? undefined : await orders.find(reader.db, reader.account_id, orderId);
  return ifNamed(found, by, value);
}

/** The orders that identifiers name, in their order; as `findOrderBy`, with the orders read together. */
export async function findOrdersBy(
  reader: AccountReader,
  named: readonly { readonly by: OrderIdentity; readonly value: string }[],
): Promise<readonly (StoredOrder | undefined)[]> {
  const lookedUp = await mapConcurrently(
    named,
    async ({ by, value }) => ({ by, value, id: await orderIdOf(reader, by, value) }),
    maxParallelCalls,
  );
  const ids = lookedUp.flatMap(({ id }) => id ?? []);
  const found = await orders.findAll(reader.db, reader.account_id, ids);
  return lookedUp.map(({ by, value, id }) => ifNamed(id === undefined ? id : found.get(id), by, value));
}

/**
 * The same order, where a call names it in its path.
 * @throws Problem `not_found` if the identifier names none; its message says which `identify_by` would
 * find one
 */
export async function getOrder(
  reader: AccountReader,
  by: OrderIdentity,
  value: string,
): Promise<StoredOrder> {
  const found = await findOrderBy(reader, by, value);
  if (found !== undefined) return found;
  const other = await findByOther(reader, by, value);
  const hint = other === undefined ? "" : `; identify_by=${other.identity} finds one`;
  throw notFound(`There is no order with ${by} ${value}${hint}`);
}

/** The account's order that has `value` as an identifier other than `by`, if the caller confused the two. */
async function findByOther(reader: AccountReader, by: OrderIdentity, value: string) {
  const others = orderIdentities.filter((identity) => identity !== by);
  const found = await Promise.all(
    others.map(async (identity) => ({ identity, order: await findOrderBy(reader, identity, value) })),
  );
  return found.find(({ order }) => order !== undefined);
}

/**
 * Why a field of a body names no order. The message names the order that has the value as another identifier,
 * if there is one. `path` is the value's place in the call, and `by` the field's name.
 */
export async function noOrder(
  reader: AccountReader,
  by: OrderIdentity,
  value: string,
  path: string,
): Promise<Problem> {
  const hint = await orderHint(reader, by, value);
  const message = `names no order (${value})${hint}`;
  const error = { path, message, code: "unknown_reference" } as const;
  return notFound(`There is no order with ${by} ${value}${hint}`, [error]);
}

/**
 * A hint about a value that names no order: the order that has it as another identifier, such as `; the order
 * with order_number 77 has order_id 1003` or `; it is the order_id of an order`. Empty if there is none.
 */
export async function orderHint(reader: AccountReader, by: OrderIdentity, value: string): Promise<string> {
  const other = await findByOther(reader, by, value);
  if (other?.identity === "order_id") return "; it is the order_id of an order";
  return other === undefined
    ? ""
    : `; the order with ${other.identity} ${value} has order_id ${other.order?.record.order_id}`;
}
