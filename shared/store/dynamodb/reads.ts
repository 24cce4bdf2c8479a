import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  GetCommand,
  QueryCommand,
  type QueryCommandOutput,
} from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { forEachConcurrently, inBatches } from "../../common/concurrency.ts";
import { allCurrent, current, layoutAttribute, mustBeWhole } from "../layouts/layouts.ts";
import { indexOf, type TableName } from "../tables.ts";
import type { Database } from "./database.ts";
import { type Key, storedKey, textOf } from "./keys.ts";
import { backOff, inBudget } from "./retry.ts";

/** A stored item that is not parsed yet. */
export type RawItem = Readonly<Record<string, unknown>>;

export interface Lookup {
  readonly table: TableName;
  readonly key: Key;
}

/** Reads one item. Reads are consistent: a client sees its own writes. */
export async function getItem(db: Database, { table, key }: Lookup): Promise<RawItem | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tableName(table), Key: key, ConsistentRead: true }),
  );
  return Item && current(db, table, Item);
}

/** Finds an item among those that were read. @throws UnknownLayout if this release can't read that item */
export type FindItem = (lookup: Lookup) => RawItem | undefined;

/** DynamoDB's limit of keys in one BatchGetItem. */
const batchSize = 100;

const identity = ({ table, key }: Lookup): string => textOf(table, key);

/**
 * Calls in parallel: as many as the client has connections. A call that waits 2 s for a connection fails, as
 * if DynamoDB could not be reached.
 */
const maxParallelCalls = 50;

/**
 * Reads any number of items across tables, up to 5,000 in one round trip. Duplicate lookups are read once.
 * `only` names the attributes to return, all by default; the cost is the same.
 * @returns a function that finds the items
 */
export async function getItems(
  db: Database,
  lookups: readonly Lookup[],
  only: readonly string[] = [],
): Promise<FindItem> {
  const unique = [...new Map(lookups.map((lookup) => [identity(lookup), lookup])).values()];
  const found = new Map<string, RawItem>();
  const batches = inBatches(unique, batchSize);
  const read = (batch: readonly Lookup[]) => inBudget(() => getBatch(db, batch, only, found));
  await forEachConcurrently(batches, read, Math.min(batches.length, maxParallelCalls));
  return (lookup) => {
    const item = found.get(identity(lookup));
    return item && current(db, lookup.table, item);
  };
}

/** Requests these attributes, the key and the layout; all attributes if there are none. */
function projection(only: readonly string[]) {
  if (only.length === 0) return {};
  const names = ["pk", "sk", layoutAttribute, ...only];
  return {
    ProjectionExpression: names.map((_, position) => `#${position}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, position) => [`#${position}`, name])),
  };
}

async function getBatch(
  db: Database,
  batch: readonly Lookup[],
  only: readonly string[],
  found: Map<string, RawItem>,
): Promise<void> {
  const tables = new Map(batch.map(({ table }) => [db.tableName(table), table]));
  let request: NonNullable<BatchGetCommandInput["RequestItems"]> = {};
  for (const [name, table] of tables) {
    const keys = batch.filter((lookup) => lookup.table === table).map(({ key }) => ({ ...key }));
    const requested = mustBeWhole(db, table) ? [] : only;
    request[name] = { Keys: keys, ConsistentRead: true, ...projection(requested) };
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer: BatchGetCommandOutput = await db.client.send(
      new BatchGetCommand({ RequestItems: request }),
    );
    for (const [name, items] of Object.entries(answer.Responses ?? {})) {
      const table = tables.get(name);
      if (table === undefined) continue;
      for (const item of items) {
        const { pk, sk } = item;
        if (typeof pk === "string" && typeof sk === "string")
          found.set(identity({ table, key: { pk, sk } }), item);
      }
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
  /** One of the table's indexes. Global indexes are eventually consistent: DynamoDB offers nothing else. */
  readonly index?: string;
  readonly direction?: "asc" | "desc";
  /** The maximum number of items; all by default. */
  readonly limit?: number;
}

/** Reads the start of a range in one call, which returns at most 1 MB. */
export async function queryOnce(
  db: Database,
  range: Range & { readonly limit: number },
): Promise<readonly RawItem[]> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({ ...rangeInput(db, range), Limit: range.limit }),
  );
  return allCurrent(db, range, Items);
}

/** Reads a range to its end (DynamoDB returns at most 1 MB per call). */
export async function queryRange(db: Database, range: Range): Promise<readonly RawItem[]> {
  const items: RawItem[] = [];
  for await (const answer of answers(db, range)) items.push(...allCurrent(db, range, answer.Items ?? []));
  return range.limit === undefined ? items : items.slice(0, range.limit);
}

/** Reads a range to its end, page by page: at most `size` items and 1 MB at a time. */
export async function* queryPages(
  db: Database,
  range: Omit<Range, "limit">,
  size: number,
): AsyncGenerator<readonly RawItem[], void> {
  for await (const { Items = [] } of answers(db, range, size)) yield allCurrent(db, range, Items);
}

/** Returns an item. @throws UnknownLayout if this release can't read it */
export type Found = () => RawItem | undefined;

/**
 * Reads the items that an index finds, page by page. The index may lag: an item may be gone or have changed.
 */
export async function* findPages(
  db: Database,
  range: Omit<Range, "limit"> & { readonly index: string },
  size: number,
): AsyncGenerator<readonly Found[], void> {
  for await (const entries of queryPages(db, range, size)) {
    const lookups = entries.map((entry): Lookup => ({ table: range.table, key: z.parse(storedKey, entry) }));
    const find = await getItems(db, lookups);
    yield lookups.map((lookup) => () => find(lookup));
  }
}

async function* answers(
  db: Database,
  range: Range,
  size = range.limit,
): AsyncGenerator<QueryCommandOutput, void> {
  const { limit = Number.POSITIVE_INFINITY } = range;
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await db.client.send(
      new QueryCommand({ ...rangeInput(db, range), ExclusiveStartKey: start, Limit: size }),
    );
    yield answer;
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start !== undefined && count < limit);
}

/** The parameters of Query for a range. */
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
