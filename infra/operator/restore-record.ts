/**
 * Brings a lost record back out of a restored copy of its table (docs/decisions.md, Restored records). One
 * transaction stores it, on the condition that nothing contradicts it.
 *
 * A record of a list comes with the lookup items that `data verify` checks (`infra/data-model/lookups.ts`).
 * Counts stay as they are: while a record is missing, verification keeps what points at it, so they still
 * count it. If such a loss was accepted, `data verify --repair` counts it again.
 */
import * as z from "zod/mini";
import { binContentList, stockList } from "../../shared/catalog/products/product-lists.ts";
import { productLookup } from "../../shared/catalog/products/product-repository.ts";
import { isDeepEqual } from "../../shared/common/deep-equal.ts";
import { invalid, notFound } from "../../shared/common/problem.ts";
import { itemWithCustomer } from "../../shared/orders/storage/erased-order.ts";
import { historyPartition } from "../../shared/orders/storage/order-history-repository.ts";
import { orderList } from "../../shared/orders/storage/order-repository.ts";
import { binContents, pendingCorrections, queuedAttribute } from "../../shared/stock/bins/bin-repository.ts";
import { correction, type QueuedCorrection } from "../../shared/stock/recount/recount.ts";
import { stockItemsOf } from "../../shared/stock/stock-levels.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { storedKey } from "../../shared/store/dynamodb/keys.ts";
import {
  getItem,
  getItems,
  type Lookup,
  queryRange,
  type RawItem,
} from "../../shared/store/dynamodb/reads.ts";
import { fitsTransaction, transact } from "../../shared/store/dynamodb/transact.ts";
import { type Insert, lookupOf, sagaAttribute, type Write } from "../../shared/store/dynamodb/writes.ts";
import { recordKey, recordsOf } from "../../shared/store/lists/block-list.ts";
import type { TableName } from "../../shared/store/tables.ts";
import { allWebhooks, webhookProgressLookup } from "../../shared/webhooks/webhook-repository.ts";
import { type LookupKind, lookupKinds, readCenters } from "../data-model/lookups.ts";
import { erasedInFeed } from "./erase/erased-copies.ts";
import { queuedJobs } from "./queued-jobs.ts";

/** What a copy has of a record. */
interface Copied {
  readonly title: string;
  /** The items to store, all of which must be missing. */
  readonly items: readonly RawItem[];
  readonly lookups: readonly Insert[];
  /** What must be there, by its name. */
  readonly refersTo: ReadonlyMap<string, Lookup>;
}

interface Places {
  readonly db: Database;
  readonly copy: Database;
}

interface Restorable {
  readonly table: TableName;
  /** @returns undefined if the copy does not have the record */
  readonly read: (places: Places, id: number) => Promise<Copied | undefined>;
}

const ofList = ({ list, read }: LookupKind): Restorable => ({
  table: list.table,
  read: async ({ db, copy }, id) => {
    const { table } = list;
    const copied = await getItem(copy, { table, key: recordKey(list, id) });
    if (copied === undefined) return undefined;
    const item = list === orderList ? await erasedAsInFeed(db, id, copied) : copied;
    const { title, lookups, refersTo } = read(item, await readCenters(db));
    const history = list === orderList ? await queryRange(copy, { table, pk: historyPartition(id) }) : [];
    return { title, items: [item, ...history], lookups, refersTo };
  },
});

async function missing(
  db: Database,
  table: TableName,
  items: readonly RawItem[],
): Promise<readonly RawItem[]> {
  const lookup = (item: RawItem): Lookup => ({ table, key: z.parse(storedKey, item) });
  const find = await getItems(db, items.map(lookup));
  return items.filter((item) => find(lookup(item)) === undefined);
}

/** The corrections of a product that are still to be applied. */
async function queuedCorrections(db: Database, productId: number): Promise<readonly QueuedCorrection[]> {
  const found: QueuedCorrection[] = [];
  for await (const job of queuedJobs(db)) {
    if (job === "unclear")
      throw invalid("A queued job can't be read, so it is not known what the bins wait for: see jobs list.");
    const { data: payload } = z.safeParse(correction, job.payload);
    if (job.kind === "recount" && payload?.product_id === productId) found.push({ ...job, payload });
  }
  return found.toSorted((left, right) => left.job_id - right.job_id);
}

/** A bin as it was, but with the corrections that wait for it now: each changes it once more, by a job. */
function binAwaiting(item: RawItem, corrections: readonly QueuedCorrection[]): RawItem {
  const { location, bin, quantity } = binContents.parse(item);
  const own = corrections.filter(({ payload }) => payload.location === location && payload.bin === bin);
  const ended = new Set([
    "accepted",
    ...pendingCorrections(item).map(({ job_id }) => queuedAttribute(job_id)),
  ]);
  const last = own.at(-1);
  return {
    ...Object.fromEntries(Object.entries(item).filter(([name]) => !ended.has(name))),
    ...Object.fromEntries(own.map(({ job_id, payload }) => [queuedAttribute(job_id), payload.difference])),
    expected: own.reduce((sum, { payload }) => sum + payload.difference, quantity),
    ...(last && { accepted: last.job_id }),
  };
}

const stock: Restorable = {
  table: stockList.table,
  read: async ({ db, copy }, id) => {
    const records = await stockItemsOf(copy, id);
    if (records.length === 0) return undefined;
    const corrections = await queuedCorrections(db, id);
    const copied = await queryRange(copy, recordsOf(binContentList, id));
    const bins = copied.map((bin) => binAwaiting(bin, corrections));
    const items = await missing(db, stockList.table, [...records, ...bins]);
    const title = `stock of product ${id}`;
    if (items.length === 0)
      throw invalid(
        `Nothing of the ${title} is missing. If its figures are wrong, count its bins, or run data verify.`,
      );
    return { title, items, lookups: [], refersTo: new Map([[`product ${id}`, productLookup(id)]]) };
  },
};

const webhook: Restorable = {
  table: "webhooks",
  read: async ({ db, copy }, id) => {
    for await (const page of allWebhooks(copy, 0))
      for (const { key } of page) {
        if (Number(key.sk) !== id) continue;
        const settings = await getItem(copy, { table: "webhooks", key });
        const position = await getItem(copy, webhookProgressLookup(id));
        if (settings === undefined || position === undefined) return undefined;
        const items = [{ ...settings, active: false }, ...(await missing(db, "webhooks", [position]))];
        return { title: `webhook ${id}`, items, lookups: [], refersTo: new Map() };
      }
    return undefined;
  },
};

const restorable: ReadonlyMap<string, Restorable> = new Map([
  ...lookupKinds.map((kind) => [kind.list.name, ofList(kind)] as const),
  ["stock", stock],
  ["webhook", webhook],
]);

/** The names of the kinds of records that can be restored. */
export const restorableKinds: readonly string[] = [...restorable.keys()];

/**
 * @returns the record, and the tables and keys of the items that were stored
 * @throws Problem, with nothing stored, if the copy lacks the record, or what is stored contradicts it
 */
export async function restoreRecord(db: Database, kindName: string, id: number, from: string) {
  const kind = restorable.get(kindName);
  if (kind === undefined) throw invalid(`There are no records of the kind ${kindName}`);
  const { table } = kind;
  const copy: Database = { ...db, tableName: (name) => (name === table ? from : db.tableName(name)) };
  const found = await kind.read({ db, copy }, id).catch((error: unknown) => {
    const isUnknown = error instanceof Error && error.name === "ResourceNotFoundException";
    throw isUnknown ? notFound(`There is no table ${from}`) : error;
  });
  if (found === undefined) throw notFound(`The table ${from} has no ${kindName} ${id}`);
  const { title, items, lookups, refersTo } = found;
  if (items.some((item) => sagaAttribute in item))
    throw invalid(`The ${title} was being stored at that moment. Restore the table to another second.`);
  const find = await getItems(db, [...refersTo.values()]);
  const lost = [...refersTo].filter(([, lookup]) => find(lookup) === undefined).map(([name]) => name);
  if (lost.length > 0)
    throw invalid(`The ${title} refers to what is missing: ${lost.join(", ")}. Restore that first.`);
  const inserts = items.map(
    (item): Insert => ({
      kind: "insert",
      table,
      item: { ...item, ...z.parse(storedKey, item) },
      rejection: () => {
        const { pk, sk } = z.parse(storedKey, item);
        return invalid(
          `The ${title} exists, or a part of it: the item ${pk} ${sk} of the table ${table}. If data verify can't read that item, delete it first: see docs/operators/recovery.md.`,
        );
      },
    }),
  );
  const writes = [...inserts, ...(await lookupWrites(db, title, lookups))];
  if (!fitsTransaction(writes)) throw invalid(`The ${title} is too large for one transaction`);
  await transact(db, writes);
  const stored = writes.filter(({ kind: write }) => write === "insert");
  return {
    record: title,
    items: stored.map(lookupOf).map(({ table: at, key }) => `${at} ${key.pk} ${key.sk}`),
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
  const find = await getItems(db, lookups.map(lookupOf));
  return lookups.map((lookup): Write => {
    const kept = find(lookupOf(lookup));
    const rejection = () => invalid(`Another record has a name of the ${title}, or it is being changed.`);
    if (kept === undefined) return { ...lookup, neverFails: false, rejection };
    if (!isDeepEqual(kept, lookup.item)) throw rejection();
    const { pk: _pk, sk: _sk, ...set } = kept;
    const when = Object.entries(set).map(([attribute, equals]) => ({ attribute, equals }));
    return { kind: "change", ...lookupOf(lookup), set, when, rejection };
  });
}
