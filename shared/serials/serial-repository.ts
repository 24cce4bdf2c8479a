/**
 * Serial numbers of products, and the batches that give them attributes.
 *
 * All serials of a product are in one partition, so that pages and ranges are read in order. A product may
 * have any number of them: their table has no local index, so DynamoDB can split the partition between them.
 */

import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { alreadyExists, invalidAt } from "../common/problem.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined } from "../store/dynamodb/keys.ts";
import {
  aloneAt,
  type FindItem,
  getItem,
  getItems,
  type Lookup,
  parsed,
  queryPages,
  queryRange,
  type RawItem,
} from "../store/dynamodb/reads.ts";
import { sliceOfRange } from "../store/dynamodb/slice.ts";
import { type Change, exists, type Insert, insertOf, still } from "../store/dynamodb/writes.ts";
import type { Page } from "../store/lists/pages.ts";
import type { TableName } from "../store/tables.ts";
import { type NewSerials, type Serial, serial, serialsAt } from "./serial.ts";
import { type SerialBatch, serialBatch } from "./serial-batch.ts";
import { covers, type SerialRange, stretchesOf } from "./serial-range.ts";

const table = "directory" satisfies TableName;

/** The table and key prefix of serials, for code that reads all of them. */
export const serialItems = { table, kind: "serial" } as const;

/** The access of a function that picks serials or frees them. */
export const serialPickAccess = {
  [table]: { "serial#": ["read", "change"], "serialized#": "read" },
} as const;

const serialsOf = (productId: number): string => joined(serialItems.kind, productId);
const batchesOf = (productId: number): string => joined("serial-batch", productId);

/** Serials of the same length are adjacent, in text order, so a range reads none of another length. */
const sortKey = (text: string): string => joined(String(text.length).padStart(2, "0"), text);

export const serialLookup = (productId: number, text: string): Lookup => ({
  table,
  key: { pk: serialsOf(productId), sk: sortKey(text) },
});

export const findSerial = async (
  db: Database,
  productId: number,
  text: string,
): Promise<Serial | undefined> => parsed(serial, await getItem(db, serialLookup(productId, text)));

/**
 * A page of a product's serials, the shortest first and those of one length in text order, with their total
 * number. Counting reads all of them: about 4 read units for 100.
 */
export async function readSerials(
  db: Database,
  productId: number,
  { page, per_page }: { readonly page: number; readonly per_page: number },
): Promise<Page<Serial>> {
  const range = { table, pk: serialsOf(productId) } as const;
  const { items, count } = await sliceOfRange(db, range, (page - 1) * per_page, page * per_page);
  return { records: items.map((item) => z.parse(serial, item)), total: count };
}

/** Serials of one product that are created together. */
export interface SerialsDraft extends NewSerials {
  /** ISO 8601. */
  readonly created_at: string;
  /** Identifies the call that stores them. A transaction of 100 serials has no room for a receipt. */
  readonly callId: string;
  /** Whether an interrupted run of the call has stored them. */
  readonly isStored: boolean;
}

/**
 * The attribute of a serial that identifies the call that stored it. It is no receipt: 1.0.0 stored it under
 * this name.
 */
export const callIdAttribute = "receipt";

/** A serial as it is stored. */
export const storedSerial = z.extend(serial, { [callIdAttribute]: z.optional(primitive.text) });

/** Creates serials; rejected if any of them exists. */
export const insertSerials = ({
  product_id,
  serials,
  created_at,
  callId,
  path: record,
}: SerialsDraft): readonly Insert[] =>
  serialsAt(record, serials).map(({ value: text, path }) =>
    insertOf(
      serialLookup(product_id, text),
      { product_id, serial: text, created_at, [callIdAttribute]: callId },
      { rejection: () => invalidAt([alreadyExists(text, path)]) },
    ),
  );

/** At most `count` serials of a product that can be picked, in their order. */
export async function pickableSerials(
  db: Database,
  productId: number,
  count: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const items of queryPages(db, { table, pk: serialsOf(productId) }, 100)) {
    const free = items
      .map((item) => z.parse(serial, item))
      .filter(({ picked_for }) => picked_for === undefined);
    found.push(...free.map((one) => one.serial));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/**
 * The table and key prefix of the marks of products with serials, for code that reads all of them. A product
 * is marked before its first serials are stored: a product without a mark has none, and a marked one may have
 * none yet. Most products have no mark, and a pick reads the marks of all its products at once.
 */
export const serialMarks = { table, kind: "serialized" } as const;

export const serialMarkLookup = (productId: number): Lookup => aloneAt(table, serialMarks.kind, productId);

/** Marks a product. Marking it again changes nothing. */
export const markSerialized = (productId: number): Change => ({
  kind: "change",
  ...serialMarkLookup(productId),
  set: { product_id: productId },
  when: [],
});

const mark = z.object({ product_id: primitive.int });

/**
 * The product of a mark.
 * @throws if the item is not a mark
 */
export const markedProduct = (item: RawItem): number => z.parse(mark, item).product_id;

/** Whether a product has serials. If so, each of its units has one. */
export const hasSerials = async (db: Database, productId: number): Promise<boolean> =>
  (await queryRange(db, { table, pk: serialsOf(productId), limit: 1 })).length > 0;

/**
 * Returns which of the products have serials. `find` must have read their marks. Takes a call for each marked
 * product, all in one round trip.
 */
export async function productsWithSerials(
  db: Database,
  productIds: readonly number[],
  find: FindItem,
): Promise<ReadonlySet<number>> {
  const marked = [...new Set(productIds)].filter((id) => find(serialMarkLookup(id)) !== undefined);
  const have = await Promise.all(marked.map((id) => hasSerials(db, id)));
  return new Set(marked.filter((_, position) => have[position]));
}

/** Marks serials as picked for an order. Stale if one of them has been picked since. */
export const pickSerials = (
  productId: number,
  serials: readonly string[],
  orderId: number,
): readonly Change[] =>
  serials.map((text) => ({
    kind: "change",
    ...serialLookup(productId, text),
    set: { picked_for: orderId },
    when: [exists, { attribute: "picked_for", is: "absent" }],
  }));

/** The serials of an order's picks, without those that came back and may be picked for another order. */
export async function serialsOut(
  db: Database,
  orderId: number,
  picks: readonly { readonly product_id: number; readonly serials: readonly string[] }[],
): Promise<readonly Serial[]> {
  const lookups = picks.flatMap(({ product_id, serials }) =>
    serials.map((text) => serialLookup(product_id, text)),
  );
  const find = await getItems(db, lookups);
  return lookups
    .map((lookup) => parsed(serial, find(lookup)))
    .filter((one) => one !== undefined)
    .filter(({ picked_for }) => picked_for === orderId);
}

/** Marks serials that were picked for an order as not picked. */
export const freeSerials = (
  productId: number,
  serials: readonly string[],
  orderId: number,
): readonly Change[] =>
  serials.map((text) => ({
    kind: "change",
    ...serialLookup(productId, text),
    remove: ["picked_for"],
    when: [{ attribute: "picked_for", equals: orderId }],
  }));

/**
 * Changes the order that a serial is picked for, if any. Used by repairs. Stale if it has changed meanwhile.
 */
export const setPickedFor = (
  { product_id, serial: text }: Pick<Serial, "product_id" | "serial">,
  before: number | undefined,
  after: number | undefined,
): Change => ({
  kind: "change",
  ...serialLookup(product_id, text),
  ...(after === undefined ? { remove: ["picked_for"] } : { set: { picked_for: after } }),
  when: [exists, still("picked_for", before)],
});

/** The product's serials that a range covers, the shortest first, at most `limit` of them. */
export async function serialsIn(
  db: Database,
  productId: number,
  range: SerialRange,
  limit: number,
): Promise<readonly Serial[]> {
  const found: Serial[] = [];
  for (const [from, to] of stretchesOf(range)) {
    const between = [sortKey(from), sortKey(to)] as const;
    for await (const items of queryPages(db, { table, pk: serialsOf(productId), between }, limit)) {
      const serials = items.map((item) => z.parse(serial, item));
      found.push(...serials.filter((one) => covers(range, one.serial)));
      if (found.length >= limit) return found.slice(0, limit);
    }
  }
  return found;
}

/**
 * A batch's position among those of its product: by time, then by its position in its call. Concurrent calls
 * don't collide.
 */
export const newBatchLookup = ({ product_id, created_at }: SerialBatch, position: number): Lookup => ({
  table,
  key: {
    pk: batchesOf(product_id),
    sk: joined(created_at, String(position).padStart(2, "0"), randomBytes(9).toString("base64url")),
  },
});

export const insertBatch = (batch: SerialBatch, lookup: Lookup): Insert => insertOf(lookup, batch);

/** A product's batches from a time on, in the order in which they were made. */
export async function batchesSince(
  db: Database,
  productId: number,
  from: string,
): Promise<readonly SerialBatch[]> {
  const items = await queryRange(db, { table, pk: batchesOf(productId), between: [from, "~"] });
  return items.map((item) => z.parse(serialBatch, item));
}

/** When the latest batch of each product was created; products without a batch are absent. */
export async function latestBatches(
  db: Database,
  productIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const latest = await Promise.all(
    [...new Set(productIds)].map((productId) =>
      queryRange(db, { table, pk: batchesOf(productId), direction: "desc", limit: 1 }),
    ),
  );
  const batches = latest.flat().map((item) => z.parse(serialBatch, item));
  return new Map(batches.map(({ product_id, created_at }) => [product_id, created_at]));
}
