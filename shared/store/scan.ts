/** Tables read whole. The cost grows with the table, so this is for operators' commands alone: no function may scan. */
import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import type { RawItem } from "./reads.ts";
import { forEach } from "./side-by-side.ts";
import type { TableName } from "./tables.ts";

/** The items of a table to be read. */
export interface Scanned {
  readonly table: TableName;
  /** Those whose `pk` begins with one of these; all without it. DynamoDB reads the others, too, and charges for them. */
  readonly partitions?: readonly string[];
  /** Those whose `sk` begins so, too. */
  readonly begins?: string;
  /** The name of one of the table's local indexes, which is read instead: what is not in it is not handed over. */
  readonly index?: string;
  /** Hands over the keys alone. */
  readonly keysOnly?: boolean;
}

/** Reads a table to its end, page by page, consistently. The items of a partition come one after another. */
export async function* scanPages(db: Database, scanned: Scanned): AsyncGenerator<readonly RawItem[], void> {
  for await (const { Items = [] } of answers(db, scanInput(db, scanned))) yield Items;
}

/** A page of a table, and what reading it cost. */
export interface ScannedPage {
  readonly items: readonly RawItem[];
  /** Read units, as DynamoDB charges them: also for what was left out. */
  readonly units: number;
}

/** Reads a table once, so many parts of it side by side, and hands over its pages in no order. */
export async function scanTable(
  db: Database,
  scanned: Scanned,
  segments: number,
  take: (page: ScannedPage) => void,
): Promise<void> {
  await forEach(
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

async function* answers(db: Database, input: ScanCommandInput): AsyncGenerator<ScanCommandOutput, void> {
  let start: ScanCommandOutput["LastEvaluatedKey"];
  do {
    const answer: ScanCommandOutput = await db.client.send(
      new ScanCommand({ ...input, ExclusiveStartKey: start }),
    );
    yield answer;
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}

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
    ...(keysOnly && { ProjectionExpression: "pk, sk" }),
  };
}
