/**
 * Reads the history of orders that were finished long ago for its export, and drops it. Only entries that
 * left their order's item are dropped; the latest changes are part of the order and stay. Entries that share
 * an item are dropped once all of them are old.
 */
import * as z from "zod/mini";
import type { HistoryEntry } from "../../../shared/orders/order-history.ts";
import {
  historyPartition,
  type StoredHistory,
  storedHistory,
} from "../../../shared/orders/storage/order-history-repository.ts";
import { orderList } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { queryPages } from "../../../shared/store/dynamodb/reads.ts";
import { transact, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import { exists, removalOf } from "../../../shared/store/dynamodb/writes.ts";

const { table } = orderList;

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

/**
 * Drops the entries from before a time that left the order's item and are exported. Returns their number.
 */
export async function dropHistory(
  db: Database,
  orderId: number,
  before: string,
  isExported: (entry: HistoryEntry) => boolean,
): Promise<number> {
  const removal = ({ sk }: StoredHistory) =>
    removalOf({ table, key: { pk: historyPartition(orderId), sk } }, exists);
  let dropped = 0;
  for await (const old of entriesBefore(db, orderId, before)) {
    const exported = old.filter(({ entries }) => entries.every(isExported));
    await transact(db, exported.map(removal));
    dropped += exported.reduce((total, { entries }) => total + entries.length, 0);
  }
  return dropped;
}
