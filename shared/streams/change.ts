import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod/mini";
import type { Database } from "../store/dynamodb/database.ts";
import { itemOf } from "../store/dynamodb/images.ts";
import { type Key, storedKey } from "../store/dynamodb/keys.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { inLatestLayout } from "../store/layouts/layouts.ts";
import { type TableName, tableNames, tableSchemas } from "../store/tables.ts";

/** A change of one item, as DynamoDB Streams delivers it. */
export interface ItemChange {
  /** DynamoDB's id of the change: the same in every delivery. */
  readonly id: string;
  /** DynamoDB's number of the change. The numbers of an item's changes rise. */
  readonly sequence: string;
  readonly table: TableName;
  readonly key: Key;
  /** The item before the change; undefined if the change created it. */
  readonly before: RawItem | undefined;
  /** The item after the change; undefined if the change removed it. */
  readonly after: RawItem | undefined;
  /** When it changed, ISO 8601 UTC, to the second. */
  readonly at: string;
}

/** Items are as stored; see `inCurrentLayout`. `variables` name the tables. @throws if it is no change */
export function itemChangeOf(
  record: DynamoDBRecord,
  variables: Readonly<Record<string, string | undefined>>,
): ItemChange {
  const { eventID: id, eventSourceARN: source, dynamodb } = record;
  const { Keys, OldImage, NewImage, SequenceNumber: sequence } = dynamodb ?? {};
  const seconds = dynamodb?.ApproximateCreationDateTime;
  if (id === undefined || source === undefined || sequence === undefined || seconds === undefined || !Keys)
    throw new Error("a record of the stream is incomplete");
  return {
    id,
    sequence,
    table: tableOf(source, variables),
    key: z.parse(storedKey, itemOf(Keys)),
    before: OldImage && itemOf(OldImage),
    after: NewImage && itemOf(NewImage),
    at: new Date(seconds * 1000).toISOString(),
  };
}

/** The change with its items in the current layout. @throws UnknownLayout */
export const inCurrentLayout = (db: Pick<Database, "layouts">, change: ItemChange): ItemChange => ({
  ...change,
  before: change.before && inLatestLayout(db, change.table, change.before),
  after: change.after && inLatestLayout(db, change.table, change.after),
});

/** The table of a stream's ARN: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`. */
function tableOf(source: string, variables: Readonly<Record<string, string | undefined>>): TableName {
  const [, deployed] = source.split("/");
  const table = tableNames.find((name) => variables[tableSchemas[name].variable] === deployed);
  if (table === undefined) throw new Error(`changesOf does not state the table of ${source}`);
  return table;
}
