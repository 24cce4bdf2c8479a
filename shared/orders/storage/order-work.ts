/**
 * Reads the index of the warehouse's work on orders of all accounts, oldest first. It lags moments behind the
 * orders, because global indexes are eventually consistent. So a flow that acts on an entry reads the order
 * itself.
 */
import * as z from "zod/mini";
import { definedValues } from "../../common/maps.ts";
import * as primitive from "../../common/primitives.ts";
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, padded } from "../../store/dynamodb/keys.ts";
import { getItems, queryRange } from "../../store/dynamodb/reads.ts";
import { ifReadable } from "../../store/layouts/unreadable.ts";
import { orderLookup, orders, pendingPartitions, type StoredOrder } from "./order-repository.ts";

/** An order in the index. */
interface WorkEntry {
  readonly order_id: number;
  /** Its position among others, by age: text order. */
  readonly work_at: string;
}

const entry = z.object({ sk: primitive.text, work_at: primitive.text });

/** The start of a stage: before all entries. */
export const beforeOldest = "0";

/** The oldest entries after the one at `after`, at most `limit`. */
export type ReadWork = (db: Database, after: string, limit: number) => Promise<readonly WorkEntry[]>;

async function readPartition(
  db: Database,
  pk: string,
  after: string,
  limit: number,
): Promise<readonly WorkEntry[]> {
  const items = await queryRange(db, {
    table: "orders",
    pk,
    index: "work",
    // Entries have the same length, so a longer text that begins with one lies just behind it.
    between: [`${after}#`, "~"],
    limit,
  });
  return items.map((item) => {
    const { sk, work_at } = z.parse(entry, item);
    return { order_id: Number(sk), work_at };
  });
}

/** Orders that were released to any picker. */
export const releasedOrders: ReadWork = (db, after, limit) => readPartition(db, "released", after, limit);

/** Orders that wait for a picker. */
export const pendingOrders: ReadWork = async (db, after, limit) => {
  const oldest = await Promise.all(pendingPartitions.all().map((pk) => readPartition(db, pk, after, limit)));
  return oldest
    .flat()
    .toSorted((left, right) => (left.work_at < right.work_at ? -1 : 1))
    .slice(0, limit);
};

/** Orders that a picker has not picked completely. */
export const ordersOfPicker = (db: Database, picker: string, limit: number): Promise<readonly WorkEntry[]> =>
  readPartition(db, joined("picker", picker), beforeOldest, limit);

/** Orders that wait for quality control, by their ids, from this one on. */
export const pickedEntries = (db: Database, firstId: number, limit: number): Promise<readonly WorkEntry[]> =>
  readPartition(db, "picked", padded(firstId - 1), limit);

/**
 * The orders with these ids, of any account. An unreadable one is logged and left out, so that work on the
 * others continues.
 */
export async function findReadableOrders(
  db: Database,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, StoredOrder>> {
  const find = await getItems(db, orderIds.map(orderLookup));
  const read = (orderId: number): StoredOrder | undefined => {
    const item = find(orderLookup(orderId));
    return item && orders.read(item);
  };
  return definedValues(orderIds, (orderId) =>
    ifReadable(
      () => read(orderId),
      () => {
        // The error is not logged, as it may quote the order.
        logger.error("order unreadable", { order_id: orderId });
        return undefined;
      },
    ),
  );
}
