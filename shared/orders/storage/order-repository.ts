import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { invalidAt } from "../../common/problem.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import type { Lookup } from "../../store/dynamodb/reads.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { type BlockList, recordKey, standardBlocks } from "../../store/lists/block-list.ts";
import { facets } from "../../store/lists/facets.ts";
import { repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { sharedTexts, uniqueTexts } from "../../store/lookup-index.ts";
import { type Order, statusIds, takenNumber } from "../order.ts";
import { workIndexed } from "./order-work.ts";
import { compress, orderAsStored, type PackedOrder, withContent } from "./stored-order.ts";

/**
 * What the list of orders is filtered by, and the value of each for an order. Names are only added at the
 * end.
 */
export const orderFacets = facets("status", "store", "type", "warehouse");

const facetKeyOf = ({ status, store, order_type_id: type, warehouse_id: warehouse }: Order): string =>
  orderFacets.key({ status: statusIds[status], store: store?.id ?? 0, type, warehouse });

export const orderList: BlockList = { table: "orders", name: "order", ...standardBlocks };

/** The repository of orders. Sorting by id and by creation time gives the same order; see `allocate`. */
export const orders = repositoryOf<Order, PackedOrder>(orderList, (item) => z.parse(orderAsStored, item), {
  idOf: ({ order_id }) => order_id,
  facetKeyOf,
  indexed: workIndexed,
  entries: (created, path) => [
    insertNumber(created, `${path}.order_number`),
    ...orderReferences.change(undefined, referenceOf(created)),
  ],
});

/** An order as it was read, with the latest changes of its history that its item holds. */
export type StoredOrder = PackedOrder & Stored<Order>;

/** The order with this id, of any account. */
export const findAnyOrder = async (db: Database, orderId: number): Promise<Order | undefined> =>
  (await orders.findAny(db, orderId))?.record;

/** The orders with these ids, of any account. Unknown ids are absent from the result. */
export const findAnyOrders = async (
  db: Database,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, Order>> =>
  new Map([...(await orders.findAnyAll(db, orderIds))].map(([id, { record }]) => [id, record] as const));

export const orderLookup = (orderId: number): Lookup => ({
  table: orderList.table,
  key: recordKey(orderList, orderId),
});

/** Orders by their numbers, which are unique in an account. */
export const orderNumbers = uniqueTexts("order-number");

/** Orders by their references. */
export const orderReferences = sharedTexts("order-reference");

/**
 * A new `order_api`: opaque to clients and not to be guessed; it holds the id, so that finding it needs no
 * index.
 */
export const newOrderApi = (orderId: number): string =>
  `${orderId.toString(36)}-${randomBytes(12).toString("base64url")}`;

/** The id that an `order_api` would belong to. The order's own `order_api` has to be compared. */
export function orderIdInApi(orderApi: string): number | undefined {
  const digits = /^([0-9a-z]{1,10})-/.exec(orderApi)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}

/** The lookup of a reference. */
export const referenceOf = ({ account_id: owner, order_reference: text, order_id: id }: Order) => ({
  owner,
  text,
  id,
});

/** The lookup of a number, which no other order may have. */
export const numberOf = ({ account_id: owner, order_number: text, order_id: id }: Order) => ({
  owner,
  text,
  id,
});

/** `path` is where the request states the number. */
export const insertNumber = (numbered: Order, path: string): Write =>
  orderNumbers.insert(numberOf(numbered), () => invalidAt([takenNumber(numbered.order_number, path)]));

/** Stores a new order, found by its number and reference; `path` is its place in the request. */
export const insertOrder = (created: Order, path: string): readonly Write[] =>
  withContent(orders.insert(created, path), compress(created, []).content);
