/**
 * Whole orders: an order with everything that belongs to it, as one value to keep and as the writes that
 * remove it (docs/decisions.md, Archived orders). Its events and jobs have expired long before.
 */

import * as z from "zod/mini";
import type { Attribute, AttributeOwner } from "../../../shared/attributes/attribute.ts";
import {
  attributeList,
  attributes,
  ownerText,
  removeAttribute,
} from "../../../shared/attributes/attribute-repository.ts";
import { findSkus } from "../../../shared/catalog/name-repository.ts";
import { clockSkewMs } from "../../../shared/common/times.ts";
import {
  returnedOrders,
  returnList,
  returns,
  returnsOfOrder,
} from "../../../shared/inbound/inbound-repository.ts";
import type { OrderReturn } from "../../../shared/inbound/returns/return.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { creationEntry, type HistoryEntry } from "../../../shared/orders/order-history.ts";
import { workOf } from "../../../shared/orders/order-status.ts";
import { historyPartition, storedHistory } from "../../../shared/orders/storage/order-history-repository.ts";
import {
  numberOf,
  orderLookup,
  orderNumbers,
  orderReferences,
  orders,
  referenceOf,
} from "../../../shared/orders/storage/order-repository.ts";
import { recordNameOf } from "../../../shared/publishing/set-aside.ts";
import type { Serial } from "../../../shared/serials/serial.ts";
import { serialLookup, serialsOut } from "../../../shared/serials/serial-repository.ts";
import type { Movement } from "../../../shared/stock/movements/movement.ts";
import { weekAt } from "../../../shared/stock/movements/movement-repository.ts";
import { movementsSince } from "../../../shared/stock/movements/read-movements.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { joined } from "../../../shared/store/dynamodb/keys.ts";
import { getItem, type Lookup, queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { fitsTransaction } from "../../../shared/store/dynamodb/transact.ts";
import { exists, removalOf, sagaAttribute, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { isUnreadable } from "../../../shared/store/layouts/unreadable.ts";
import { blockItems, recordKey } from "../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";
import { isListedRecord } from "../../../shared/store/lists/facets.ts";
import type { Stored } from "../../../shared/store/lists/repository.ts";

interface WholeOrder {
  readonly order: Order;
  /** All that is kept of it, from the creation on. */
  readonly history: readonly HistoryEntry[];
  /** Those that name the order or one of its returns. They also stay where they are. */
  readonly movements: readonly Movement[];
  /** The serials that left with it. */
  readonly serials: readonly Serial[];
  readonly returns: readonly OrderReturn[];
  readonly attributes: readonly Attribute[];
}

/** Why an order can't be archived, though it is Shipped or Cancelled. */
export type Obstacle =
  | "it has a return that is not Received"
  | "it is being changed"
  | "changes of it are set aside"
  | "it can't be read"
  | "it needs more than one transaction";

/**
 * What was found under an order's id. `recent`: it is open, or it or one of its returns has changed since the
 * limit.
 */
type FoundOrder =
  | { readonly whole: WholeOrder; readonly removal: readonly Write[] }
  | { readonly obstacle: Obstacle }
  | { readonly missing: "gone" | "recent" };

/** The limit (ISO 8601), and the records with changes that are set aside (`recordNameOf`). */
export interface Limits {
  readonly before: string;
  readonly setAside: ReadonlySet<string>;
}

/** Reads an order with everything that belongs to it, and plans its removal in one transaction. */
export async function findWhole(db: Database, orderId: number, limits: Limits): Promise<FoundOrder> {
  try {
    return await readWhole(db, orderId, limits);
  } catch (error) {
    if (isUnreadable(error)) return { obstacle: "it can't be read" };
    throw error;
  }
}

const returnLookup = ({ return_id }: OrderReturn): Lookup => ({
  table: returnList.table,
  key: recordKey(returnList, return_id),
});

async function readWhole(db: Database, orderId: number, { before, setAside }: Limits): Promise<FoundOrder> {
  const lookup = orderLookup(orderId);
  const item = await getItem(db, lookup);
  if (item === undefined) return { missing: "gone" };
  if (item[sagaAttribute] !== undefined) return { obstacle: "it is being changed" };
  const stored = orders.read(item);
  const { record: order } = stored;
  const itsReturns = await returnsOfOrder(db, order);
  const records = [order, ...itsReturns.map(({ record }) => record)];
  if (workOf(order) !== undefined || records.some(({ updated_at }) => updated_at >= before))
    return { missing: "recent" };
  if (itsReturns.some(({ record }) => record.status !== "Received"))
    return { obstacle: "it has a return that is not Received" };
  if (itsReturns.some(({ isInSaga }) => isInSaga)) return { obstacle: "it is being changed" };
  const places = [lookup, ...itsReturns.map(({ record }) => returnLookup(record))];
  if (places.some((place) => setAside.has(recordNameOf(place))))
    return { obstacle: "changes of it are set aside" };
  const moved = await queryRange(db, { table: lookup.table, pk: historyPartition(orderId) });
  const kept = moved.map((one) => z.parse(storedHistory, one));
  const history = [creationEntry(order), ...kept.flatMap(({ entries }) => entries), ...stored.recent];
  const [serials, ownAttributes, movements] = await Promise.all([
    serialsOut(db, order.order_id, order.picks),
    attributesOf(db, records),
    movementsOf(db, order, history, itsReturns),
  ]);
  const removal = [
    ...orders.remove(stored),
    orderNumbers.retire(numberOf(order), new Date().toISOString()),
    ...orderReferences.change(referenceOf(order), { ...referenceOf(order), text: null }),
    ...kept.map(({ sk }) =>
      removalOf({ table: lookup.table, key: { pk: historyPartition(orderId), sk } }, exists),
    ),
    ...serials.map((one) =>
      removalOf(serialLookup(one.product_id, one.serial), { attribute: "picked_for", equals: orderId }),
    ),
    ...itsReturns.flatMap(removalOfReturn),
    ...ownAttributes.flatMap((one) =>
      removeAttribute(one, { attribute: "updated_at", equals: one.record.updated_at }),
    ),
  ];
  if (!fitsTransaction(removal)) return { obstacle: "it needs more than one transaction" };
  const others = {
    returns: itsReturns.map(({ record }) => record),
    attributes: ownAttributes.map(({ record }) => record),
  };
  return { whole: { order, history, movements, serials, ...others }, removal };
}

type StoredReturn = Stored<OrderReturn>;

function removalOfReturn(stored: StoredReturn): readonly Write[] {
  const { account_id: owner, order_id, return_id: id } = stored.record;
  const entry = { owner, text: String(order_id), id };
  return [...returns.remove(stored), ...returnedOrders.change(entry, { ...entry, text: null })];
}

async function attributesOf(
  db: Database,
  records: readonly (Order | OrderReturn)[],
): Promise<readonly Stored<Attribute>[]> {
  const found: Stored<Attribute>[] = [];
  for (const record of records) {
    const owner: AttributeOwner =
      "return_id" in record
        ? { account_id: record.account_id, owner_type: "return", owner_id: record.return_id }
        : { account_id: record.account_id, owner_type: "order", owner_id: record.order_id };
    for await (const { block } of readBlocks({ db, list: attributeList, owner: ownerText(owner) }))
      for (const item of await queryRange(db, blockItems(attributeList, block)))
        if (isListedRecord(item)) found.push(attributes.read(item));
  }
  return found;
}

/**
 * The movements of an order are dated as its creation and the changes of its items or status, and those of a
 * return lie between its creation and its last change. So few others are read.
 */
async function movementsOf(
  db: Database,
  { account_id, order_id, items }: Order,
  history: readonly HistoryEntry[],
  itsReturns: readonly StoredReturn[],
): Promise<readonly Movement[]> {
  const skus = history.flatMap(({ items: changed }) => changed?.from.map(({ sku }) => sku) ?? []);
  const replaced = [...(await findSkus(db, account_id, [...new Set(skus)])).values()];
  const productIds = new Set([...items, ...replaced].map(({ product_id }) => product_id));
  const moments = history
    .filter(({ status, items: changed }) => status ?? changed)
    .map(({ at }) => [at, at] as const);
  const spans = itsReturns.map(({ record }) => [record.created_at, record.updated_at] as const);
  const returnIds = new Set(itsReturns.map(({ record }) => record.return_id));
  const isOwn = ({ reference }: Movement) =>
    reference.order_id === order_id ||
    (reference.return_id !== undefined && returnIds.has(reference.return_id));
  const found = new Map<string, Movement>();
  for (const productId of productIds)
    for (const [from, to] of [...moments, ...spans]) {
      const since = new Date(Date.parse(from) - clockSkewMs).toISOString();
      for (const { pk, sk, ...movement } of await movementsSince(db, productId, since, weekAt(to), to))
        if (isOwn(movement)) found.set(joined(pk, sk), movement);
    }
  return [...found.values()].toSorted((left, right) => left.at.localeCompare(right.at));
}
