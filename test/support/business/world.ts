/**
 * What tests begin with: products, goods in bins, orders that the warehouse worked on. All of it is the
 * account's of the service, and made by the service's own flows, without HTTP. What a test is about it asks
 * for over HTTP itself.
 */

import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as createReplenishments } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as createReturns } from "../../../functions/oms/inventory/returns/create-returns.ts";
import { endpoint as createOrders } from "../../../functions/oms/orders/create-orders.ts";
import { countGoods } from "../../../infra/demo/load.ts";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { changeOrders } from "../../../shared/orders/change-orders.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { type Parcel, claim as toClaimed } from "../../../shared/orders/order-transitions.ts";
import type { PickRequest } from "../../../shared/picking/locate-picks.ts";
import * as flows from "../../../shared/picking/picking-flows.ts";
import { noReceipts } from "../../../shared/store/bulk/bulk.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import { oneByOne } from "../http/one-by-one.ts";
import { create, type Owner } from "../records/flows.ts";
import { orderOf, productOf } from "../records/records.ts";

export { newStore } from "../records/accounts.ts";

export interface NewProduct {
  readonly sku: string;
  readonly product_id: number;
}

/** Where goods lie whose place is of no account: `A1/03`. */
export const shelf = { location: "A1", bin: "03" };

/** Units by the bin they lie in, `{ "A1/01": 3 }`; a number means so many on the `shelf`. */
export type Contents = number | Readonly<Record<string, number>>;

/** Units by the bin they lie in. */
export const contentsByBin = (contents: Contents): Readonly<Record<string, number>> =>
  typeof contents === "number" ? { "A1/03": contents } : contents;

/** The location and the bin of `A1/01`. */
export function binNamed(name: string): typeof shelf {
  const [location = "", bin = ""] = name.split("/");
  return { location, bin };
}

/** A new product, which lies nowhere yet. */
export async function newProduct(owner: Owner, more: object = {}): Promise<NewProduct> {
  const [product] = await newProducts(owner, [more]);
  if (product === undefined) throw new Error("no product was created");
  return product;
}

/** New products, in this order: so many, or one with each of these fields. */
export async function newProducts(
  owner: Owner,
  products: number | readonly object[],
): Promise<readonly NewProduct[]> {
  const fields = typeof products === "number" ? Array.from({ length: products }, () => ({})) : products;
  const { data } = await create(owner, createProducts, ...fields.map(productOf));
  return data.map(({ sku, product_id }) => ({ sku, product_id }));
}

/** Makes new products ahead, all at once, and hands them out one by one. */
export const productsAhead = async (owner: Owner, count: number): Promise<() => NewProduct> =>
  oneByOne(await newProducts(owner, count));

/** Counts a product in its bins: that many lie there then. */
export const countStock = (owner: Owner, sku: string, contents: Contents): Promise<void> =>
  countEach(owner, [{ sku, contents }]);

/** Counts several products in their bins, all of them at once. */
export async function countEach(
  { db, accountId }: Owner,
  products: readonly { readonly sku: string; readonly contents: Contents }[],
): Promise<void> {
  const count = { account_id: accountId, by: "user:manager", description: "Updated using the Recount API." };
  const goods = products.flatMap(({ sku, contents }) =>
    Object.entries(contentsByBin(contents)).map(([name, quantity]) => ({ sku, ...binNamed(name), quantity })),
  );
  await countGoods(db, count, goods);
}

/** A new product of which so many units were counted. */
export async function stockedProduct(
  owner: Owner,
  contents: Contents,
  more: object = {},
): Promise<NewProduct> {
  const product = await newProduct(owner, more);
  await countStock(owner, product.sku, contents);
  return product;
}

export type Lines = Parameters<typeof orderOf>[0];

/** New Pending orders, one of each of these lines; their ids. */
export async function newOrders(
  owner: Owner,
  orders: readonly Lines[],
  more: object = {},
): Promise<readonly number[]> {
  const { data } = await create(owner, createOrders, ...orders.map((lines) => orderOf(lines, more)));
  return data.map(({ order_id }) => order_id);
}

/** A new Pending order; its id. */
export async function pendingOrder(owner: Owner, lines: Lines, more: object = {}): Promise<number> {
  const [orderId] = await newOrders(owner, [lines], more);
  if (orderId === undefined) throw new Error("no order was created");
  return orderId;
}

/** The answer of a flow that is asked for nothing but its record. */
export const asItIs = <T>(record: T): T => record;

/** Who does the warehouse's work unless a test says else, and when. */
export const byManager = (db: Database) => ({
  ...noReceipts,
  db,
  actor: "user:manager",
  user_name: "manager",
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});

/** Claims an order for `manager`. */
export const claim = ({ db }: Owner, orderId: number): Promise<Order> =>
  flows.claimOrder(byManager(db), orderId, "manager");

/** Claims the account's orders for `manager`, all of them at once. */
export async function claimEach({ db, accountId }: Owner, orderIds: readonly number[]): Promise<void> {
  const decide = (before: Order, at: string) => toClaimed(before, "manager", at);
  await changeOrders(
    { ...byManager(db), account_id: accountId },
    orderIds.map((order_id) => ({ order_id, path: "order_id", decide })),
  );
}

/** Takes goods out of bins for an order that `manager` claimed. */
export const pickItems = ({ db }: Owner, orderId: number, ...picks: readonly PickRequest[]): Promise<Order> =>
  flows.pickOrder(byManager(db), orderId, picks, asItIs);

/** Ships an order that is picked completely. */
export const shipOrder = ({ db }: Owner, orderId: number, parcel: Parcel = {}): Promise<Order> =>
  flows.shipOrder(byManager(db), orderId, parcel, asItIs);

/** A pick out of a bin: of the `shelf`, or of one that is named `A1/01`. */
export const pickFrom = (sku: string, quantity: number, bin = "A1/03"): PickRequest => ({
  sku,
  quantity,
  ...binNamed(bin),
});

/** A new order that `manager` has claimed; its id. */
export async function claimedOrder(owner: Owner, lines: Lines, more: object = {}): Promise<number> {
  const orderId = await pendingOrder(owner, lines, more);
  await claim(owner, orderId);
  return orderId;
}

/** Has an order claimed and everything picked from the `shelf`. */
export async function pickWhole(owner: Owner, orderId: number): Promise<Order> {
  const { items } = await claim(owner, orderId);
  return pickItems(owner, orderId, ...items.map(({ sku, quantity }) => pickFrom(sku, quantity)));
}

/** Has an order claimed, picked from the `shelf` and shipped. */
export async function fulfill(owner: Owner, orderId: number): Promise<Order> {
  await pickWhole(owner, orderId);
  return shipOrder(owner, orderId);
}

/** A new order with these lines, all of them picked from the `shelf`, where the goods must lie; its id. */
export async function pickedOrder(owner: Owner, lines: Lines, more: object = {}): Promise<number> {
  const orderId = await pendingOrder(owner, lines, more);
  await pickWhole(owner, orderId);
  return orderId;
}

/** A new Shipped order with these lines, whose goods must lie on the `shelf`. */
export async function shippedOrder(owner: Owner, lines: Lines, more: object = {}): Promise<Order> {
  return fulfill(owner, await pendingOrder(owner, lines, more));
}

/** Announces goods; as target of put-away. */
export async function announceReplenishment(owner: Owner, items: NonNullable<Lines>, more: object = {}) {
  const { data } = await create(owner, createReplenishments, { items, ...more });
  return { replenishment_id: data[0]?.replenishment_id ?? 0 };
}

/** Announces that an order's goods come back; as target of put-away. */
export async function announceReturn(
  owner: Owner,
  order_id: number,
  items: NonNullable<Lines>,
  more: object = {},
) {
  const { data } = await create(owner, createReturns, { order_id, items, ...more });
  return { return_id: data[0]?.return_id ?? 0 };
}

/** Units that are put away, and what is known of them. */
export interface Arrival {
  readonly quantity: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly lot?: string;
  readonly expires_on?: string;
  /** `A1/01` without. */
  readonly bin?: string;
}

/** Has goods come in and put away on days of one's choice, one arrival after another. */
export const receiveGoods = (owner: Owner, sku: string, ...arrivals: readonly Arrival[]): Promise<void> =>
  receiveEach(
    owner,
    arrivals.map((arrival) => ({ sku, ...arrival })),
  );

/**
 * Has goods of several products come in and put away, one arrival after another; one replenishment announces
 * all of them.
 */
async function receiveEach(
  owner: Owner,
  arrivals: readonly (Arrival & { readonly sku: string })[],
): Promise<void> {
  const { db, accountId: account_id } = owner;
  const target = await announceReplenishment(
    owner,
    arrivals.map(({ sku, quantity }) => ({ sku, quantity })),
  );
  for (const { day, bin = "A1/01", ...goods } of arrivals) {
    const context = { account_id, actor: `account:${account_id}`, now: `${day}T12:00:00.000Z` };
    await putAway(
      { ...context, db, idempotency: noIdempotencyKey },
      target,
      { ...binNamed(bin), ...goods },
      asItIs,
    );
  }
}
