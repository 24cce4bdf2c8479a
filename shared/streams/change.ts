import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod/mini";
import type { Database } from "../store/dynamodb/database.ts";
import { itemOf } from "../store/dynamodb/images.ts";
import { type Key, storedKey } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { current } from "../store/layouts/layouts.ts";
import { type TableName, tableNames, tableSchemas } from "../store/tables.ts";

/** A change of one item, as DynamoDB Streams tells of it. */
export interface ItemChange {
  /** DynamoDB's name of the change: the same whenever the change is told again. */
  readonly id: string;
  readonly table: TableName;
  readonly key: Key;
  /** The item as it was; undefined where the change made it. */
  readonly before: RawItem | undefined;
  /** The item as it is then; undefined where the change removed it. */
  readonly after: RawItem | undefined;
  /** When it changed, ISO 8601 UTC, to the second. */
  readonly at: string;
  /** Whether the item was removed because its time to live was over. */
  readonly expired: boolean;
}

/** Who removes items whose time to live is over. */
const timeToLive = z.object({ type: z.literal("Service"), principalId: z.literal("dynamodb.amazonaws.com") });

/** Reads a change. The names of tables are found in `variables` (`TABLE_ORDERS` and so on). @throws where it is none */
export function itemChangeOf(
  record: DynamoDBRecord,
  variables: Readonly<Record<string, string | undefined>>,
  db: Pick<Database, "layouts">,
): ItemChange {
  const { eventID: id, eventSourceARN: source, dynamodb: told, userIdentity } = record;
  const seconds = told?.ApproximateCreationDateTime;
  if (id === undefined || source === undefined || told?.Keys === undefined || seconds === undefined)
    throw new Error("a record of the stream lacks what every change has");
  const table = tableOf(source, variables);
  return {
    id,
    table,
    key: z.parse(storedKey, itemOf(told.Keys)),
    before: told.OldImage && current(db, table, itemOf(told.OldImage)),
    after: told.NewImage && current(db, table, itemOf(told.NewImage)),
    at: new Date(seconds * 1000).toISOString(),
    expired: z.safeParse(timeToLive, userIdentity).success,
  };
}

/** The table whose stream this is: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`. */
function tableOf(source: string, variables: Readonly<Record<string, string | undefined>>): TableName {
  const [, deployed] = source.split("/");
  const table = tableNames.find((name) => variables[tableSchemas[name].variable] === deployed);
  if (table === undefined) throw new Error(`changesOf does not state the table of ${source}`);
  return table;
}
