/**
 * What became of finished orders long ago, which operators export and drop. Only what lies beside an order is dropped; the
 * latest changes ride in the order and stay. Changes that are stored together go once all of them are old.
 */
import * as z from "zod/mini";
import { dayOf } from "../../../shared/common/days.ts";
import { statusIds } from "../../../shared/orders/order.ts";
import type { HistoryEntry } from "../../../shared/orders/order-history.ts";
import {
  type Beside,
  historyPartition,
  storedHistory,
} from "../../../shared/orders/storage/order-history-repository.ts";
import { orderFacets } from "../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { queryPages } from "../../../shared/store/dynamodb/reads.ts";
import { transact, transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import { stale, type Write } from "../../../shared/store/dynamodb/writes.ts";
import { entriesOf } from "../../../shared/store/lists/block-list.ts";
import { orderList } from "../../../shared/store/lists/definitions.ts";
import { allBlocks } from "../../../shared/store/lists/repair/all-blocks.ts";

const { table } = orderList;

/** Entries of the index of cells read at a time. */
const pageSize = 1000;

const finished = [statusIds.Shipped, statusIds.Cancelled].map((status) => orderFacets.matching({ status }));

const isFinished = (cell: string): boolean => finished.some(({ matches }) => matches?.(cell) === true);

/** The orders that are Shipped or Cancelled and were created before a time (ISO 8601), or on its day. */
export async function* finishedOrders(db: Database, before: string): AsyncGenerator<number, void> {
  const last = dayOf(before);
  for await (const { block, firstDay } of allBlocks(db, orderList)) {
    if (firstDay > last) continue;
    for await (const entries of queryPages(db, entriesOf(orderList, block), pageSize))
      for (const { sk, cell, day } of entries)
        if (isFinished(String(cell)) && Number(day) <= last) yield Number(sk);
  }
}

/** What lies beside an order from before a time, oldest first, as much at a time as one transaction can drop. */
async function* besideBefore(db: Database, orderId: number, before: string): AsyncGenerator<Beside, void> {
  const range = { table, pk: historyPartition(orderId) };
  for await (const items of queryPages(db, range, transactionLimit)) {
    const read = items.map((item) => z.parse(storedHistory, item));
    const old = read.filter(({ entries }) => entries.every(({ at }) => at < before));
    if (old.length > 0) yield old;
    if (old.length < read.length) return;
  }
}

/** The changes of a finished order that `dropHistory` would drop, oldest first. */
export async function* historyBefore(
  db: Database,
  orderId: number,
  before: string,
): AsyncGenerator<HistoryEntry, void> {
  for await (const old of besideBefore(db, orderId, before)) yield* old.flatMap(({ entries }) => entries);
}

/** Drops the changes of a finished order that lie beside it and are from before a time; answers how many they were. */
export async function dropHistory(db: Database, orderId: number, before: string): Promise<number> {
  const removal = ({ sk }: Beside[number]): Write => ({
    kind: "removal",
    table,
    key: { pk: historyPartition(orderId), sk },
    when: [{ attribute: "pk", is: "present" }],
    rejection: stale,
  });
  let dropped = 0;
  for await (const old of besideBefore(db, orderId, before)) {
    await transact(db, old.map(removal));
    dropped += old.reduce((total, { entries }) => total + entries.length, 0);
  }
  return dropped;
}
