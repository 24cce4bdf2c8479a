/**
 * The history of orders that were finished long ago, which operators export and drop. Only entries that left
 * their order's item are dropped; the latest changes are part of the order and stay. Entries that share an
 * item are dropped once all of them are old.
 */
import * as z from "zod/mini";
import { dayEnds, dayOf } from "../../../shared/common/times.ts";
import { statusIds } from "../../../shared/orders/order.ts";
import type { HistoryEntry } from "../../../shared/orders/order-history.ts";
import {
  historyPartition,
  type StoredHistory,
  storedHistory,
} from "../../../shared/orders/storage/order-history-repository.ts";
import { orderFacets, orderList } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { queryPages } from "../../../shared/store/dynamodb/reads.ts";
import { transact, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import { exists, removalOf } from "../../../shared/store/dynamodb/writes.ts";
import { indexEntriesOf } from "../../../shared/store/lists/block-list.ts";
import { toEntry } from "../../../shared/store/lists/page-request.ts";
import { allBlocks } from "../../../shared/store/lists/repair/all-blocks.ts";

const { table } = orderList;

const pageSize = 1000;

const finished = orderFacets.matching({ status: [statusIds.Shipped, statusIds.Cancelled] });

/**
 * The orders that are Shipped or Cancelled and were created before a time (ISO 8601), or on its day: those of
 * an account, or all.
 */
export async function* finishedOrders(
  db: Database,
  before: string,
  accountId?: number,
): AsyncGenerator<number, void> {
  const last = dayOf(before);
  const isMeant = (owner: string) => accountId === undefined || owner === String(accountId);
  for await (const { block, firstAt } of allBlocks(db, orderList, isMeant)) {
    if (firstAt > before.slice(0, 10) + dayEnds) continue;
    for await (const entries of queryPages(db, indexEntriesOf(orderList, block), pageSize))
      for (const { sk, facetKey, day } of entries.map(toEntry))
        if (finished.matches?.(facetKey) === true && day <= last) yield Number(sk);
  }
}

/** History entries from before a time, oldest first, in portions that one transaction can drop. */
async function* entriesBefore(
  db: Database,
  orderId: number,
  before: string,
): AsyncGenerator<readonly StoredHistory[], void> {
  const range = { table, pk: historyPartition(orderId) };
  for await (const items of queryPages(db, range, transactionLimit)) {
    const read = items.map((item) => z.parse(storedHistory, item));
    const old = read.filter(({ entries }) => entries.every(({ at }) => at < before));
    if (old.length > 0) yield old;
    if (old.length < read.length) return;
  }
}

/** The entries that `dropHistory` would drop, oldest first. */
export async function* historyBefore(
  db: Database,
  orderId: number,
  before: string,
): AsyncGenerator<HistoryEntry, void> {
  for await (const old of entriesBefore(db, orderId, before)) yield* old.flatMap(({ entries }) => entries);
}

/** Drops the entries from before a time that left the order's item. Returns their number. */
export async function dropHistory(db: Database, orderId: number, before: string): Promise<number> {
  const removal = ({ sk }: StoredHistory) =>
    removalOf({ table, key: { pk: historyPartition(orderId), sk } }, exists);
  let dropped = 0;
  for await (const old of entriesBefore(db, orderId, before)) {
    await transact(db, old.map(removal));
    dropped += old.reduce((total, { entries }) => total + entries.length, 0);
  }
  return dropped;
}
