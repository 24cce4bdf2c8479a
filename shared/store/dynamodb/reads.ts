import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  GetCommand,
  QueryCommand,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { forEachConcurrently, inBatches } from "../../common/concurrency.ts";
import { allInLatestLayout, inLatestLayout, layoutAttribute, mustBeWhole } from "../layouts/layouts.ts";
import { indexOf, type TableName } from "../tables.ts";
import type { Database } from "./database.ts";
import { joined, type Key, keyIn, only, type RawItem, storedKey, textOf } from "./keys.ts";
import { backOff, inBudget } from "./retry.ts";

export type { RawItem } from "./keys.ts";

export interface Lookup {
  readonly table: TableName;
  readonly key: Key;
}

/** The lookup of an item that is alone in its partition. The parts of its key are as in `joined`. */
export const aloneAt = (table: TableName, ...parts: readonly (string | number)[]): Lookup => ({
  table,
  key: { pk: joined(...parts), sk: only },
});

/** Reads one item. Reads are consistent: a client sees its own writes. */
export async function getItem(db: Database, { table, key }: Lookup): Promise<RawItem | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tableName(table), Key: key, ConsistentRead: true }),
  );
  return Item && inLatestLayout(db, table, Item);
}

/** Finds an item among those that were read. @throws UnknownLayout if this release can't read that item */
export type FindItem = (lookup: Lookup) => RawItem | undefined;

/** DynamoDB's limit of keys in one BatchGetItem. */
const batchSize = 100;

const identity = ({ table, key }: Lookup): string => textOf(table, key);

/** As many calls as the client has connections. A call that waits 2 s for a connection fails. */
export const maxParallelCalls = 50;

/**
 * Reads any number of items across tables, up to 5,000 in one round trip. Duplicate lookups are read once.
 * `attributes` are those to return, all by default; the cost is the same.
 * @returns a function that finds the items
 */
export async function getItems(
  db: Database,
  lookups: readonly Lookup[],
  attributes: readonly string[] = [],
): Promise<FindItem> {
  const unique = [...new Map(lookups.map((lookup) => [identity(lookup), lookup])).values()];
  const found = new Map<string, RawItem>();
  const batches = inBatches(unique, batchSize);
  const read = (batch: readonly Lookup[]) => inBudget(() => getBatch(db, batch, attributes, found));
  await forEachConcurrently(batches, read, Math.min(batches.length, maxParallelCalls));
  return (lookup) => {
    const item = found.get(identity(lookup));
    return item && inLatestLayout(db, lookup.table, item);
  };
}

/** Requests these attributes, the key and the layout; all attributes if there are none. */
function projection(attributes: readonly string[]) {
  if (attributes.length === 0) return {};
  const names = ["pk", "sk", layoutAttribute, ...attributes];
  return {
    ProjectionExpression: names.map((_, position) => `#${position}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, position) => [`#${position}`, name])),
  };
}

async function getBatch(
  db: Database,
  batch: readonly Lookup[],
  attributes: readonly string[],
  found: Map<string, RawItem>,
): Promise<void> {
  const tables = new Map(batch.map(({ table }) => [db.tableName(table), table]));
  let request: NonNullable<BatchGetCommandInput["RequestItems"]> = {};
  for (const [name, table] of tables) {
    const keys = batch.filter((lookup) => lookup.table === table).map(({ key }) => ({ ...key }));
    const requested = mustBeWhole(db, table) ? [] : attributes;
    request[name] = { Keys: keys, ConsistentRead: true, ...projection(requested) };
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer: BatchGetCommandOutput = await db.client.send(
      new BatchGetCommand({ RequestItems: request }),
    );
    for (const [name, items] of Object.entries(answer.Responses ?? {})) {
      const table = tables.get(name);
      if (table === undefined) continue;
      for (const item of items) found.set(identity({ table, key: keyIn(item) }), item);
    }
    request = answer.UnprocessedKeys ?? {};
    if (Object.keys(request).length === 0) return;
    await backOff(attempt, new Error("DynamoDB left keys of a batch unread"));
  }
}

/** Items of one partition, by their sort key (of the table or of `index`). */
export interface Range {
  readonly table: TableName;
  readonly pk: string;
  /** Bounds of the sort key, both inclusive. */
  readonly between?: readonly [string, string];
  /** Prefix of the sort key. A range has this or `between`. */
  readonly begins?: string;
  /** One of the table's indexes. Global indexes are always eventually consistent. */
  readonly index?: string;
  readonly direction?: "asc" | "desc";
  readonly limit?: number;
}

/** Reads a range to its end or its limit (DynamoDB returns at most 1 MB per call). */
export async function queryRange(db: Database, range: Range): Promise<readonly RawItem[]> {
  const { limit = Number.POSITIVE_INFINITY } = range;
  const items: RawItem[] = [];
  for await (const { Items = [] } of answers(db, range)) {
    items.push(...allInLatestLayout(db, range, Items));
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}

/** Reads a range to its end, page by page: at most `size` items and 1 MB at a time. */
export async function* queryPages(
  db: Database,
  range: Omit<Range, "limit">,
  size: number,
): AsyncGenerator<readonly RawItem[], void> {
  for await (const { Items = [] } of answers(db, range, size)) yield allInLatestLayout(db, range, Items);
}

/** Returns an item. @throws UnknownLayout if this release can't read it */
export type ReadItem = () => RawItem | undefined;

/** An item that an index found. */
export interface FoundItem {
  readonly key: Key;
  readonly read: ReadItem;
}

/** Reads what an index finds, page by page. The index may lag: an item may be gone or have changed. */
export async function* findPages(
  db: Database,
  range: Omit<Range, "limit"> & { readonly index: string },
  size: number,
): AsyncGenerator<readonly FoundItem[], void> {
  for await (const entries of queryPages(db, range, size)) {
    const lookups = entries.map((entry): Lookup => ({ table: range.table, key: z.parse(storedKey, entry) }));
    const find = await getItems(db, lookups);
    yield lookups.map((lookup) => ({ key: lookup.key, read: () => find(lookup) }));
  }
}

/** The answers to a call that is repeated from where the previous one ended. */
export async function* answersFrom<A extends { readonly LastEvaluatedKey?: RawItem | undefined }>(
  begin: Record<string, unknown> | undefined,
  send: (start: Record<string, unknown> | undefined) => Promise<A>,
): AsyncGenerator<A, void> {
  for (let start = begin; ; ) {
    const answer = await send(start);
    yield answer;
    if (answer.LastEvaluatedKey === undefined) return;
    start = answer.LastEvaluatedKey;
  }
}

const answers = (db: Database, range: Range, size = range.limit) =>
  answersFrom(undefined, (start) =>
    db.client.send(new QueryCommand({ ...rangeInput(db, range), ExclusiveStartKey: start, Limit: size })),
  );

export function rangeInput(db: Database, range: Range) {
  const index = range.index === undefined ? undefined : indexOf(range.table, range.index);
  const names: Record<string, string> = { "#pk": index?.partitionKey ?? "pk" };
  const values: Record<string, string> = { ":pk": range.pk };
  let condition = "#pk = :pk";
  if (range.between !== undefined) {
    names["#sk"] = index?.sortKey ?? "sk";
    values[":from"] = range.between[0];
    values[":to"] = range.between[1];
    condition += " AND #sk BETWEEN :from AND :to";
  } else if (range.begins !== undefined) {
    names["#sk"] = index?.sortKey ?? "sk";
    values[":begins"] = range.begins;
    condition += " AND begins_with(#sk, :begins)";
  }
  return {
    TableName: db.tableName(range.table),
    IndexName: range.index,
    ConsistentRead: index?.scope !== "global",
    KeyConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: range.direction !== "desc",
  };
}

/** Parses the item of a lookup; undefined if there is none. */
export const parsed = <T>(schema: z.ZodMiniType<T>, item: RawItem | undefined): T | undefined =>
  item === undefined ? undefined : z.parse(schema, item);
