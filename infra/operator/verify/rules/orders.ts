/**
 * Compares orders with what follows from them: counts of picked orders, picked serials, and returned units.
 */

import * as z from "zod/mini";
import { nextVersion } from "../../../../shared/common/versioned.ts";
import { unitsByProduct } from "../../../../shared/inbound/inbound.ts";
import { maxReturns, returnList, returnsOfOrder } from "../../../../shared/inbound/inbound-repository.ts";
import { withReturned } from "../../../../shared/inbound/returns/return.ts";
import type { Order } from "../../../../shared/orders/order.ts";
import { awaitsQualityControl } from "../../../../shared/orders/order-status.ts";
import {
  orderList,
  orderLookup,
  orders,
  type StoredOrder,
} from "../../../../shared/orders/storage/order-repository.ts";
import {
  pickedCount,
  pickedCountKey,
  pickedCounts,
} from "../../../../shared/orders/storage/picked-orders.ts";
import { saveOrder } from "../../../../shared/orders/storage/save-order.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem, queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute, setOrInsert } from "../../../../shared/store/dynamodb/writes.ts";
import { blockItems } from "../../../../shared/store/lists/block-list.ts";
import { isListedRecord } from "../../../../shared/store/lists/facets.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import type { Verification } from "../finding.ts";
import {
  acceptable,
  type Fault,
  type Inspection,
  manual,
  nothingWrong,
  repairable,
  type Suspect,
  storing,
} from "../inspection.ts";

/**
 * The counts cover all accounts, so they are verified only with all accounts. One that counts too many may
 * count a lost order, so it is kept: it costs a reader no more than a call.
 */
export function pickedCountsCheck(verification: Verification): FirstPass<Suspect> {
  if (verification.accountId !== undefined) return comparison({});
  const factOf = (key: Key, by: number) => {
    const sum = `count of picked orders ${key.pk} ${Number(key.sk)}`;
    const inspect = () => inspectPickedCount(verification, key, sum);
    return { sum, by, subject: { title: sum, inspect } };
  };
  return comparison({
    lists: [orderList],
    ofListItem: ({ record }) => {
      if (record?.order === undefined || !awaitsQualityControl(record.order)) return [];
      return [factOf(pickedCountKey(record.order.order_id), 1)];
    },
    ofItems: [
      {
        ...pickedCounts,
        facts: (item: RawItem) => {
          const { pk, sk, orders: count } = z.parse(pickedCount, item);
          return [factOf({ pk, sk }, -count)];
        },
      },
    ],
  });
}

const pageSize = 100;

/** Reads a count, then all orders of its block. */
async function inspectPickedCount({ db }: Verification, key: Key, record: string): Promise<Inspection> {
  const { table } = orderList;
  const item = await getItem(db, { table, key });
  const actual = item === undefined ? 0 : z.parse(pickedCount, item).orders;
  const counted: string[] = [];
  for await (const items of queryPages(db, blockItems(orderList, Number(key.sk)), pageSize))
    for (const order of items.filter(isListedRecord).map(orders.parse))
      if (awaitsQualityControl(order) && pickedCountKey(order.order_id).pk === key.pk)
        counted.push(`${order.order_id} ${order.version}`);
  const state = [actual, counted];
  if (actual === counted.length) return { state, faults: [] };
  const difference = { record, what: "picked orders", actual, expected: counted.length };
  const when = [{ attribute: "orders", equals: actual }];
  const write = setOrInsert({ table, key }, item, { orders: counted.length }, when);
  const fault =
    actual < counted.length
      ? repairable(difference, write)
      : acceptable(difference, "restore the order from a backup", write);
  return { state, faults: [fault] };
}

/** An order records the units that its returns announce, so that a client can't return more than was sent. */
export function returnsCheck(verification: Verification): FirstPass<Suspect> {
  const unitsOf = (orderId: number, productId: number, by: number) => ({
    sum: `${orderId} ${productId}`,
    by,
    subject: { title: orderTitle(orderId), inspect: () => inspectReturned(verification, orderId) },
  });
  return comparison({
    lists: [orderList, returnList],
    ofListItem: ({ record: { order, orderReturn } = {} }) => [
      ...(order?.items ?? [])
        .filter(({ returned }) => returned > 0)
        .map(({ product_id, returned }) => unitsOf(order?.order_id ?? 0, product_id, returned)),
      ...(orderReturn?.items ?? []).map(({ product_id, quantity }) =>
        unitsOf(orderReturn?.order_id ?? 0, product_id, -quantity),
      ),
    ],
  });
}

const orderTitle = (orderId: number): string => `order ${orderId}`;

/**
 * A return whose order is gone is reported by the check of lookups. An order with too many returns is
 * unclear.
 */
async function inspectReturned(
  { db, repairer = "operator" }: Verification,
  orderId: number,
): Promise<Inspection> {
  const item = await getItem(db, orderLookup(orderId));
  if (item === undefined) return nothingWrong;
  if (item[sagaAttribute] !== undefined) return "busy";
  const stored = orders.read(item);
  const { record: order } = stored;
  const found = (await returnsOfOrder(db, order)).map(({ record }) => record);
  if (found.length >= maxReturns) return "unclear";
  const lines = found.flatMap(({ items }) => items);
  const announced = unitsByProduct(lines, ({ quantity }) => quantity);
  const faults = faultsOfReturned(stored, announced, repairer);
  return { state: [order.version, found.map(({ return_id }) => return_id)], faults };
}

/**
 * All products of an order are repaired together, as one change of the order. Units that no return announces
 * stay recorded: they may belong to a lost return, and could be sent back a second time without the record.
 */
function faultsOfReturned(
  stored: StoredOrder,
  announced: ReadonlyMap<number, number>,
  by: string,
): readonly Fault[] {
  const { record: order } = stored;
  const noted = unitsByProduct(order.items, ({ returned }) => returned);
  const compared = [...new Set([...announced.keys(), ...noted.keys()])].map((product_id) => ({
    product_id,
    record: orderTitle(order.order_id),
    what: `returned units of product ${product_id}`,
    actual: noted.get(product_id) ?? 0,
    expected: announced.get(product_id) ?? 0,
  }));
  const unannounced = compared
    .filter(({ actual, expected }) => actual > expected)
    .map(({ product_id: _, ...difference }) => manual(difference, "restore the return from a backup"));
  const unnoted = compared.filter(({ actual, expected }) => actual < expected);
  if (unnoted.length === 0) return unannounced;
  const differences = unnoted.map(({ product_id: _, ...difference }) => difference);
  const items = unnoted.reduce<Order["items"] | undefined>(
    (repaired, { product_id, expected }) => repaired && withReturned(repaired, product_id, expected),
    order.items,
  );
  if (items === undefined) return [...unannounced, { differences, next: "check the returns of the order" }];
  const after = nextVersion(order, { items }, new Date().toISOString());
  return [...unannounced, { differences, repair: storing(saveOrder(stored, after, by).writes) }];
}
