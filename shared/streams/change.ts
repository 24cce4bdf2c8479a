import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod/mini";
import type { Database } from "../store/dynamodb/database.ts";
import { itemOf } from "../store/dynamodb/images.ts";
import { type Key, storedKey } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { current } from "../store/layouts/layouts.ts";
import { type TableName, tableNames, tableSchemas } from "../store/tables.ts";

/** A change of one item, as DynamoDB Streams delivers it. */
export interface ItemChange {
  /** DynamoDB's id of the change: the same in every delivery. */
  readonly id: string;
  readonly table: TableName;
  readonly key: Key;
  /** The item before the change; undefined if the change created it. */
  readonly before: RawItem | undefined;
  /** The item after the change; undefined if the change removed it. */
  readonly after: RawItem | undefined;
  /** When it changed, ISO 8601 UTC, to the second. */
  readonly at: string;
  /** Whether DynamoDB removed the item because its time to live had passed. */
  readonly expired: boolean;
}

/** The identity under which DynamoDB removes expired items. */
const timeToLive = z.object({ type: z.literal("Service"), principalId: z.literal("dynamodb.amazonaws.com") });

/**
 * Parses a stream record. `variables` has the names of tables (`TABLE_ORDERS` and so on). @throws if it is
 * not a change
 */
export function itemChangeOf(
  record: DynamoDBRecord,
  variables: Readonly<Record<string, string | undefined>>,
  db: Pick<Database, "layouts">,
): ItemChange {
  const { eventID: id, eventSourceARN: source, dynamodb: images, userIdentity } = record;
  const seconds = images?.ApproximateCreationDateTime;
  if (id === undefined || source === undefined || images?.Keys === undefined || seconds === undefined)
    throw new Error("a record of the stream is incomplete");
  const table = tableOf(source, variables);
  return {
    id,
    table,
    key: z.parse(storedKey, itemOf(images.Keys)),
    before: images.OldImage && current(db, table, itemOf(images.OldImage)),
    after: images.NewImage && current(db, table, itemOf(images.NewImage)),
    at: new Date(seconds * 1000).toISOString(),
    expired: z.safeParse(timeToLive, userIdentity).success,
  };
}

/** The table of a stream's ARN: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`. */
function tableOf(source: string, variables: Readonly<Record<string, string | undefined>>): TableName {
  const [, deployed] = source.split("/");
  const table = tableNames.find((name) => variables[tableSchemas[name].variable] === deployed);
  if (table === undefined) throw new Error(`changesOf does not state the table of ${source}`);
  return table;
}
