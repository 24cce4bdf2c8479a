import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { alreadyExists, invalidAt } from "../../common/problem.ts";
import type { StatedAccess } from "../../store/access.ts";
import { joined, padded } from "../../store/dynamodb/keys.ts";
import type { Lookup } from "../../store/dynamodb/reads.ts";
import type { RecordWrites, Write } from "../../store/dynamodb/writes.ts";
import { type BlockList, recordKey, standardBlocks } from "../../store/lists/block-list.ts";
import { facets } from "../../store/lists/facets.ts";
import { type IndexAttributes, repositoryOf, type Stored } from "../../store/lists/repository.ts";
import { sharedTexts, uniqueTexts } from "../../store/lookup-index.ts";
import { partitionsOf } from "../../store/partitions.ts";
import { type Order, statusIds } from "../order.ts";
import { type Work, workOf } from "../order-status.ts";
import { compressOrder, orderAsStored, type PackedOrder } from "./stored-order.ts";

/** The filters of the list of orders, and an order's value of each. New names are only added at the end. */
export const orderFacets = facets("status", "store", "type", "warehouse");

const facetKeyOf = ({ status, store, order_type_id: type, warehouse_id: warehouse }: Order): string =>
  orderFacets.key({ status: statusIds[status], store: store?.id ?? 0, type, warehouse });

export const orderList: BlockList = { table: "orders", name: "order", ...standardBlocks };

/**
 * The access of a flow that changes orders, even if it moves no stock: it resumes a saga that is storing the
 * order, which stores stock as well.
 */
export const orderWriteAccess: StatedAccess = { orders: "write-records", inventory: "write-records" };

/** Every new order is written to one of these partitions of the index of work. */
export const pendingPartitions = partitionsOf("pending", 8);

function partitionOf(work: Work, orderId: number): string {
  switch (work.stage) {
    case "pending":
      return pendingPartitions.of(orderId);
    case "picking":
      return joined("picker", work.picker);
    case "released":
    case "picked":
      return work.stage;
  }
}

/** The attributes that place an order in the index of work, which `order-work.ts` reads. */
const workAttributes = ["work", "work_at"] as const;

/**
 * Returns the attributes to set and those to remove, so that the index holds the order as it is. Picked
 * orders are indexed by their ids, so that a page of them is found by counts of blocks of ids; see
 * `pickedPage`.
 */
export function workIndexed(order: Order): IndexAttributes {
  const work = workOf(order);
  if (work === undefined) return { set: {}, remove: workAttributes };
  const { order_id, created_at } = order;
  const work_at = work.stage === "picked" ? padded(order_id) : joined(created_at, padded(order_id));
  const set = { work: partitionOf(work, order_id), work_at };
  return { set, remove: [] };
}

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

export const orderLookup = (orderId: number): Lookup => ({
  table: orderList.table,
  key: recordKey(orderList, orderId),
});

/** Orders by their numbers, which are unique in an account. */
export const orderNumbers = uniqueTexts("order-number");

export const orderReferences = sharedTexts("order-reference");

/** A new `order_api`: opaque and unguessable. It contains the id, so that finding it needs no index. */
export const newOrderApi = (orderId: number): string =>
  `${orderId.toString(36)}-${randomBytes(12).toString("base64url")}`;

/** The id in an `order_api`. The order's own `order_api` must be compared. */
export function orderIdInApi(orderApi: string): number | undefined {
  const digits = /^([0-9a-z]{1,10})-/.exec(orderApi)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}

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
  orderNumbers.insert(numberOf(numbered), () => invalidAt([alreadyExists(numbered.order_number, path)]));

/** Stores a new order, with what finds it. `path` is its place in the request. */
export const insertOrder = (created: Order, path: string): RecordWrites =>
  orders.insert(created, path, compressOrder(created, []).packed);
