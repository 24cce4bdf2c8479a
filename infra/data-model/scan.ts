/** Scans of whole tables. Their cost grows with the table, so only operator commands scan. */
import { ScanCommand, type ScanCommandInput } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { type Key, storedKey } from "../../shared/store/dynamodb/keys.ts";
import { answersFrom, type RawItem } from "../../shared/store/dynamodb/reads.ts";
import { inLatestLayout, layoutAttribute } from "../../shared/store/layouts/layouts.ts";
import type { TableName } from "../../shared/store/tables.ts";

interface Scanned {
  readonly table: TableName;
  /** Prefixes of `pk`; all items by default. DynamoDB also reads, and charges for, the other items. */
  readonly partitions?: readonly string[];
  readonly begins?: string;
  /** A local index to read instead of the table. */
  readonly index?: string;
  /** Returns only the keys and the layout. */
  readonly keysOnly?: boolean;
}

/** Reads a table page by page, consistently, in the stored layouts. */
export async function* scanStored(db: Database, scanned: Scanned): AsyncGenerator<readonly RawItem[], void> {
  for await (const { Items = [] } of answers(db, scanInput(db, scanned))) yield Items;
}

/** Reads a table page by page, consistently. The items of a partition are returned together. */
export async function* scanPages(db: Database, scanned: Scanned): AsyncGenerator<readonly RawItem[], void> {
  for await (const items of scanStored(db, scanned)) {
    const isPart = scanned.keysOnly === true || scanned.index !== undefined;
    yield isPart ? items : items.map((item) => inLatestLayout(db, scanned.table, item));
  }
}

interface ScannedPage {
  readonly items: readonly RawItem[];
  /** The read units that DynamoDB charges, including those of items that are filtered out. */
  readonly units: number;
}

/** Reads a table once, in `segments` parallel scans, and passes its pages to `take` in any order. */
export async function scanTable(
  db: Database,
  scanned: Scanned,
  segments: number,
  take: (page: ScannedPage) => void,
): Promise<void> {
  await forEachConcurrently(
    Array.from({ length: segments }, (_, Segment) => Segment),
    async (Segment) => {
      const input = { ...scanInput(db, scanned), Segment, TotalSegments: segments };
      const counting = { ...input, ReturnConsumedCapacity: "TOTAL" } as const;
      for await (const { Items: items = [], ConsumedCapacity } of answers(db, counting))
        take({ items, units: ConsumedCapacity?.CapacityUnits ?? 0 });
    },
    segments,
  );
}

const answers = (db: Database, input: ScanCommandInput) =>
  answersFrom(input.ExclusiveStartKey, (start) =>
    db.client.send(new ScanCommand({ ...input, ExclusiveStartKey: start })),
  );

function scanInput(db: Database, { table, partitions = [], begins, index, keysOnly = false }: Scanned) {
  const values: Record<string, string> = {};
  const beginsWith = (attribute: string, text: string): string => {
    const name = `:text${Object.keys(values).length}`;
    values[name] = text;
    return `begins_with(${attribute}, ${name})`;
  };
  const any = partitions.map((partition) => beginsWith("pk", partition)).join(" OR ");
  const conditions = [
    ...(any === "" ? [] : [`(${any})`]),
    ...(begins === undefined ? [] : [beginsWith("sk", begins)]),
  ];
  return {
    TableName: db.tableName(table),
    IndexName: index,
    ConsistentRead: true,
    ...(conditions.length > 0 && {
      FilterExpression: conditions.join(" AND "),
      ExpressionAttributeValues: values,
    }),
    ...(keysOnly && {
      ProjectionExpression: "pk, sk, #layout",
      ExpressionAttributeNames: { "#layout": layoutAttribute },
    }),
  };
}

/** The key of the last item read, after which a scan resumes. */
export type ScanPosition = Key;

/** Reads a table after `start`, in the stored layouts. Each page has the position to resume from. */
export async function* scanFrom(
  db: Database,
  table: TableName,
  start?: ScanPosition,
): AsyncGenerator<{ readonly items: readonly RawItem[]; readonly position: ScanPosition | undefined }, void> {
  const input = { ...scanInput(db, { table }), ...(start && { ExclusiveStartKey: { ...start } }) };
  for await (const { Items: items = [], LastEvaluatedKey: last } of answers(db, input))
    yield { items, position: last && z.parse(storedKey, last) };
}

export async function isEmpty(db: Database, table: TableName): Promise<boolean> {
  const TableName = db.tableName(table);
  const scan = new ScanCommand({ TableName, Select: "COUNT", Limit: 1, ConsistentRead: true });
  return (await db.client.send(scan)).Count === 0;
}
