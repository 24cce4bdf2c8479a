/**
 * The history of orders: who changed what, and when. Each change is stored in the transaction that makes it.
 * The latest changes are stored in the order's own item (`stored-order.ts`), earlier ones in items of their
 * own, several in each.
 */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { jsonBytes } from "../../common/strings.ts";
import { compress, decompress } from "../../store/dynamodb/compressed.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, padded } from "../../store/dynamodb/keys.ts";
import { queryPages } from "../../store/dynamodb/reads.ts";
import type { Insert } from "../../store/dynamodb/writes.ts";
import type { Order } from "../order.ts";
import { creationEntry, type HistoryEntry, historyEntry } from "../order-history.ts";
import type { PackedOrder } from "./stored-order.ts";

const table = "orders";

/** The partition of an order's changes that have left its own item. */
export const historyPartition = (orderId: number): string => joined("history", orderId);

/** Stores changes of an order, oldest first. The last of them made this version of the order. */
export const insertHistory = (
  { order_id, version }: Pick<Order, "order_id" | "version">,
  entries: readonly HistoryEntry[],
): Insert => ({
  kind: "insert",
  table,
  item: { pk: historyPartition(order_id), sk: padded(version), entries: compress(entries) },
  // The condition on the order's version guards this key, too.
  neverFails: true,
});

/** Maximum changes to show. An order with more of them was changed by a program in a loop. */
export const maxShown = 1000;

/** Maximum bytes of changes that are shown, as JSON, so that they fit an answer. */
const maxBytes = 1_000_000;

const historyEntries = z.array(historyEntry);

/** Changes in one item, oldest first. They are stored compressed, because a change may be large. */
export const storedHistory = z.pipe(
  z.object({ sk: primitive.text, entries: z.instanceof(Uint8Array) }),
  z.transform(({ sk, entries }) => ({ sk, entries: z.parse(historyEntries, decompress(entries)) })),
);
export type StoredHistory = z.output<typeof storedHistory>;

/**
 * Reads the changes that left an order's item, newest item first: as much as one call to the database returns
 * (1 MB), so that the history of an order that was edited without end still fits an answer.
 */
export async function readStoredHistory(db: Database, orderId: number): Promise<readonly StoredHistory[]> {
  const pages = queryPages(db, { table, pk: historyPartition(orderId), direction: "desc" }, maxShown);
  const first = await pages.next();
  return first.done ? [] : first.value.map((item) => z.parse(storedHistory, item));
}

/** The history of an order that is shown: its creation and its latest changes, oldest first. */
export const readHistory = async (db: Database, stored: PackedOrder): Promise<readonly HistoryEntry[]> => [
  creationEntry(stored.record),
  ...(await readChanges(db, stored)),
];

/**
 * The latest changes of an order, oldest first, without its creation. Each version has one change, so the
 * order's version says which changes left its item. Changes that leave it after the order was read are among
 * its `recent` ones.
 */
export async function readChanges(
  db: Database,
  { record, recent }: PackedOrder,
): Promise<readonly HistoryEntry[]> {
  const last = record.version - recent.length;
  const stored = last > 1 ? await readStoredHistory(db, record.order_id) : [];
  const earlier = stored.filter(({ sk }) => sk <= padded(last)).toReversed();
  return latestOf([...earlier.flatMap(({ entries }) => entries), ...recent]);
}

/** The latest of these changes that fit; always at least the last one. */
function latestOf(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let bytes = 0;
  const tooMany = entries.findLastIndex((entry, position) => {
    bytes += jsonBytes(entry);
    return position < entries.length - 1 && (bytes > maxBytes || entries.length - position > maxShown);
  });
  return entries.slice(tooMany + 1);
}
