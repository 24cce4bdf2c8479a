import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { type Order, statusIds } from "../domain/orders/order.ts";
import { historyOf } from "../domain/orders/order-history.ts";
import { invalidAt } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import { joined, type Key, only, padded } from "../store/keys.ts";
import { recordKey } from "../store/lists/block-list.ts";
import { orderList } from "../store/lists/definitions.ts";
import { facets } from "../store/lists/facets.ts";
import { repositoryOf } from "../store/lists/repository.ts";
import { getItem, type Lookup, queryRange } from "../store/reads.ts";
import { stale, type Write } from "../store/writes.ts";
import { insertHistory } from "./order-history.ts";
import { orderAsStored, recentOf, stow, stowedIn } from "./order-storage.ts";
import { workIndexed } from "./order-work.ts";
import { countPicked } from "./picked-orders.ts";

/** What order lists filter by; 0 stands for no store. */
export const orderFacets = facets("status", "store", "type", "warehouse");

const cellOf = ({ status, store, order_type_id: type, warehouse_id: warehouse }: Order): string =>
  orderFacets.cell({ status: statusIds[status], store: store?.id ?? 0, type, warehouse });

/** Where orders are kept. Ordering them by id and by date is the same; see `allocate`. */
export const orders = repositoryOf(orderList, orderAsStored, {
  idOf: ({ order_id }) => order_id,
  cellOf,
  indexed: workIndexed,
});

export const {
  find: findOrder,
  findAll: findOrders,
  findAny: findAnyOrder,
  findAnyAll: findAnyOrders,
  read: readOrders,
} = orders;

export const orderLookup = (orderId: number): Lookup => ({
  table: orderList.table,
  key: recordKey(orderList, orderId),
});

export const orderNumberLookup = (accountId: number, number: string): Lookup => ({
  table: orderList.table,
  key: { pk: joined("order-number", accountId, number), sk: only },
});

const referenceKey = (accountId: number, reference: string, orderId: number): Key => ({
  pk: joined("order-reference", accountId, reference),
  sk: padded(orderId),
});

/** What an order's number and reference lead to. */
export const orderPointer = z.object({ order_id: z.int() });

/** The id of the account's order with this number. */
export async function orderIdByNumber(
  db: Database,
  accountId: number,
  number: string,
): Promise<number | undefined> {
  const item = await getItem(db, orderNumberLookup(accountId, number));
  return item === undefined ? undefined : z.parse(orderPointer, item).order_id;
}

/** The id of the account's newest order with this reference. */
export async function orderIdByReference(
  db: Database,
  accountId: number,
  reference: string,
): Promise<number | undefined> {
  const { pk } = referenceKey(accountId, reference, 0);
  const [item] = await queryRange(db, { table: orderList.table, pk, direction: "desc", limit: 1 });
  return item === undefined ? undefined : z.parse(orderPointer, item).order_id;
}

/** A new `order_api`: opaque to clients and not to be guessed; it holds the id, so that finding it needs no index. */
export const newOrderApi = (orderId: number): string =>
  `${orderId.toString(36)}-${randomBytes(12).toString("base64url")}`;

/** The id that an `order_api` would belong to. The order's own `order_api` has to be compared. */
export function orderIdInApi(orderApi: string): number | undefined {
  const digits = /^([0-9a-z]{1,10})-/.exec(orderApi)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
}

const numberEntry = ({ account_id, order_id, order_number }: Order, path: string): Write => ({
  kind: "insert",
  table: orderList.table,
  item: { ...orderNumberLookup(account_id, order_number).key, order_id },
  refusal: () => invalidAt([{ path, message: `already exists (${order_number})` }]),
});

const referenceEntry = ({ account_id, order_id, order_reference }: Order): readonly Write[] =>
  order_reference === null
    ? []
    : [
        {
          kind: "insert",
          table: orderList.table,
          item: { ...referenceKey(account_id, order_reference, order_id), order_id },
          own: true,
          refusal: stale,
        },
      ];

/** Stores a new order, found by its number and reference; `path` is where the request states its number. */
export const insertOrder = (created: Order, path: string): readonly Write[] => [
  ...stowedIn(orders.insert(created), stow(created, [])),
  numberEntry(created, path),
  ...referenceEntry(created),
];

/**
 * Stores `after` in place of `before`, with its tally, its lookups, its place in the warehouse's work and a record of
 * what `by` changed; stale where the order changed meanwhile. `path` is where the request states its number, should
 * that change. Where `after` is `before` itself, nothing is to be stored.
 */
export function saveOrder(before: Order, after: Order, by: string, path = "order_number"): readonly Write[] {
  if (after === before) return [];
  const stowed = stow(after, [...recentOf(before), historyOf(before, after, by)]);
  return [
    ...stowedIn(orders.save(before, after), stowed),
    ...countPicked(before, after),
    ...(stowed.apart.length === 0 ? [] : [insertHistory(after, stowed.apart)]),
    ...renumbered(before, after, path),
    ...rereferenced(before, after),
  ];
}

function renumbered(before: Order, after: Order, path: string): readonly Write[] {
  if (before.order_number === after.order_number) return [];
  const { key } = orderNumberLookup(before.account_id, before.order_number);
  return [removal(key), numberEntry(after, path)];
}

function rereferenced(before: Order, after: Order): readonly Write[] {
  if (before.order_reference === after.order_reference) return [];
  const added = referenceEntry(after);
  if (before.order_reference === null) return added;
  const key = referenceKey(before.account_id, before.order_reference, before.order_id);
  return [removal(key), ...added];
}

/** An entry of an order's old number or reference, which is its own as long as the order is as it was read. */
const removal = (key: Key): Write => ({
  kind: "removal",
  table: orderList.table,
  key,
  when: [],
  refusal: stale,
});
