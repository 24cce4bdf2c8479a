/** Damage to what is stored, as no flow of the service would do it. */
import { BatchWriteCommand, DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Lookup, RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { stockpile } from "../records/stockpile.ts";
import { type Ahead, webhooksAhead } from "../records/webhooks.ts";
import type { Service } from "../runtime/service.ts";
import { type NewProduct, productsAhead } from "../store/world.ts";

/** Where damages are done: the service, and what was made ahead in its account. Each product is handed out once. */
export interface Site extends Service {
  /** A new product, which lies nowhere. */
  readonly product: () => NewProduct;
  /** A new product, of which 10 units lie on the `shelf`. */
  readonly goods: () => NewProduct;
  /** A new webhook of an account of its own. */
  readonly webhook: () => Ahead;
}

/** Makes so many products and webhooks ahead as all damages ask for. */
export const siteOf = async (service: Service): Promise<Site> => ({
  ...service,
  product: await productsAhead(service, 7),
  goods: await stockpile(service, 14, [{ place: "A1/03", quantity: 10 }]),
  webhook: await webhooksAhead(service, 11),
});

/** A way to damage data, and what a verification says of it. */
export interface Damage {
  readonly breaks: () => Promise<unknown>;
  /** What is found wrong, and repaired where that is asked for. */
  readonly finds?: readonly object[];
  /** What is for people to repair. It is named each time. */
  readonly leaves?: readonly object[];
  /** What is not known before it is repaired. */
  readonly hides?: readonly string[];
  /** What has to hold of the data once they are repaired. */
  readonly assess?: () => Promise<void>;
}

/** Adds to and sets attributes of an item. */
export async function damage(
  db: Database,
  { table, key }: Lookup,
  add: RawItem,
  set: RawItem = {},
): Promise<void> {
  const assigned = Object.keys(set).map((_, at) => `#s${at} = :s${at}`);
  const added = Object.keys(add).map((_, at) => `#a${at} :a${at}`);
  const clauses = [
    ...(assigned.length > 0 ? [`SET ${assigned.join(", ")}`] : []),
    ...(added.length > 0 ? [`ADD ${added.join(", ")}`] : []),
  ];
  const fields = [
    ...Object.entries(set).map(([name, value], at) => [`s${at}`, name, value] as const),
    ...Object.entries(add).map(([name, value], at) => [`a${at}`, name, value] as const),
  ];
  await db.client.send(
    new UpdateCommand({
      TableName: db.tableName(table),
      Key: { ...key },
      UpdateExpression: clauses.join(" "),
      ExpressionAttributeNames: Object.fromEntries(fields.map(([place, name]) => [`#${place}`, name])),
      ExpressionAttributeValues: Object.fromEntries(fields.map(([place, , value]) => [`:${place}`, value])),
    }),
  );
}

/** Takes an item away. */
export async function lose(db: Database, { table, key }: Lookup): Promise<void> {
  await db.client.send(new DeleteCommand({ TableName: db.tableName(table), Key: { ...key } }));
}

/** Takes up to 25 items away at once. */
export async function loseAll(db: Database, lookups: readonly Lookup[]): Promise<void> {
  const gone = Map.groupBy(lookups, ({ table }) => db.tableName(table));
  const RequestItems = Object.fromEntries(
    [...gone].map(([name, some]) => [name, some.map(({ key }) => ({ DeleteRequest: { Key: { ...key } } }))]),
  );
  const { UnprocessedItems = {} } = await db.client.send(new BatchWriteCommand({ RequestItems }));
  const left = Object.values(UnprocessedItems).flat().length;
  if (left > 0) throw new Error(`${left} items are still there`);
}

/** Puts an item of which the service knows nothing. */
export async function invent(db: Database, { table, key }: Lookup, fields: RawItem): Promise<void> {
  await db.client.send(new PutCommand({ TableName: db.tableName(table), Item: { ...key, ...fields } }));
}
