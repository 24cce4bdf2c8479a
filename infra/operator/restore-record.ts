/**
 * Brings a lost record back out of a restored copy of its table: its item, the lookup items that find it and,
 * of an order, the history beside it. Which lookups a record has is what `data verify` checks
 * (`shared/schema/lookups.ts`). One transaction stores them, on the condition that nothing contradicts them.
 * The customer of an order stays erased if the feed shows that it was.
 *
 * Counts and stock stay as they are: while a record is missing, verification keeps what points at it, so they
 * still count the record. If such a loss was accepted, `data verify --repair` counts it again.
 */
import * as z from "zod/mini";
import { isDeepEqual } from "../../shared/common/deep-equal.ts";
import { invalid, notFound } from "../../shared/common/problem.ts";
import { itemWithCustomer } from "../../shared/orders/storage/erased-order.ts";
import { historyPartition } from "../../shared/orders/storage/order-history-repository.ts";
import { lookupKinds, readCenters } from "../../shared/schema/lookups.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { storedKey } from "../../shared/store/dynamodb/keys.ts";
import { getItem, getItems, queryRange, type RawItem } from "../../shared/store/dynamodb/reads.ts";
import { fitsTransaction, transact } from "../../shared/store/dynamodb/transact.ts";
import { type Insert, keyOf, sagaAttribute, type Write } from "../../shared/store/dynamodb/writes.ts";
import { recordKey } from "../../shared/store/lists/block-list.ts";
import { orderList } from "../../shared/store/lists/definitions.ts";
import { erasedInFeed } from "./erase/erased-copies.ts";

/** The names of the lists whose records can be restored. */
export const restorableKinds: readonly string[] = lookupKinds.map(({ list }) => list.name);

/** What a restored record consists of. */
export interface RestoredRecord {
  readonly record: string;
  /** The tables and keys of the items that were stored. */
  readonly items: readonly string[];
}

/** @throws Problem, with nothing stored, if the copy lacks the record, or what is stored contradicts it */
export async function restoreRecord(
  db: Database,
  kindName: string,
  id: number,
  from: string,
): Promise<RestoredRecord> {
  const kind = lookupKinds.find(({ list }) => list.name === kindName);
  if (kind === undefined) throw invalid(`There are no records of the kind ${kindName}`);
  const { table } = kind.list;
  const copy: Database = { ...db, tableName: (name) => (name === table ? from : db.tableName(name)) };
  const key = recordKey(kind.list, id);
  const copied = await getItem(copy, { table, key });
  if (copied === undefined) throw notFound(`The table ${from} has no ${kindName} ${id}`);
  if (sagaAttribute in copied)
    throw invalid(
      `The ${kindName} ${id} was being stored at that moment. Restore the table to another second.`,
    );
  const item = kind.list === orderList ? await erasedAsInFeed(db, id, copied) : copied;
  const { title, lookups, refersTo } = kind.read(item, await readCenters(db));
  const find = await getItems(db, [...refersTo.values()]);
  const missing = [...refersTo].filter(([, lookup]) => find(lookup) === undefined).map(([name]) => name);
  if (missing.length > 0)
    throw invalid(`The ${title} refers to what is missing: ${missing.join(", ")}. Restore that first.`);
  const beside = kind.list === orderList ? await queryRange(copy, { table, pk: historyPartition(id) }) : [];
  const inserts = [item, ...beside].map(
    (stored): Insert => ({
      kind: "insert",
      table,
      item: { ...stored, ...z.parse(storedKey, stored) },
      rejection: () => invalid(`The ${title} exists, or a part of it.`),
    }),
  );
  const writes = [...inserts, ...(await lookupWrites(db, title, lookups))];
  if (!fitsTransaction(writes)) throw invalid(`The ${title} is too large for one transaction`);
  await transact(db, writes);
  const stored = writes.filter(({ kind: write }) => write === "insert");
  return {
    record: title,
    items: stored.map((write) => `${write.table} ${Object.values(keyOf(write)).join(" ")}`),
  };
}

const owned = z.object({ account_id: z.number() });

/** An order's item, with its customer erased if the feed shows that it was. */
async function erasedAsInFeed(db: Database, order_id: number, item: RawItem): Promise<RawItem> {
  const { account_id } = z.parse(owned, item);
  const customer = await erasedInFeed(db, { account_id, order_id });
  return customer === undefined ? item : itemWithCustomer(item, customer);
}

/** Inserts the lookup items that are lost, and asserts those that were kept. */
async function lookupWrites(
  db: Database,
  title: string,
  lookups: readonly Insert[],
): Promise<readonly Write[]> {
  const placeOf = (lookup: Insert) => ({ table: lookup.table, key: keyOf(lookup) });
  const find = await getItems(db, lookups.map(placeOf));
  return lookups.map((lookup): Write => {
    const kept = find(placeOf(lookup));
    const rejection = () => invalid(`Another record has a name of the ${title}, or it is being changed.`);
    if (kept === undefined) return { ...lookup, own: false, rejection };
    if (!isDeepEqual(kept, lookup.item)) throw rejection();
    const { pk: _pk, sk: _sk, ...set } = kept;
    const when = Object.entries(set).map(([attribute, equalsValue]) => ({ attribute, equalsValue }));
    return { kind: "change", ...placeOf(lookup), set, when, rejection };
  });
}
