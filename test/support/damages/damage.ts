/**
 * Damages stored data in ways that no flow of the service would.
 *
 * The tables of damages are in `of-*.ts`: each row has a title, prepares data of its own, and states how to
 * damage them and what a verification reports. All rows are prepared first, then damaged together, so that
 * verify.test.ts verifies and repairs only once.
 */
import { BatchWriteCommand, DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Lookup, RawItem } from "../../../shared/store/dynamodb/reads.ts";
import { stockpile } from "../business/stockpile.ts";
import { type NewProduct, productsAhead } from "../business/world.ts";
import { type Ahead, webhooksAhead } from "../records/webhooks.ts";
import type { Service } from "../runtime/service.ts";

/** The service to be damaged, and prepared records. Each product and webhook is returned once. */
export interface Site extends Service {
  /** A new product without goods. */
  readonly product: () => NewProduct;
  /** A new product with 10 units on the `shelf`. */
  readonly goods: () => NewProduct;
  /** A new webhook of a new account. */
  readonly webhook: () => Ahead;
}

/** Prepares as many products and webhooks as all damages take. */
export const siteOf = async (service: Service): Promise<Site> => ({
  ...service,
  product: await productsAhead(service, 9),
  goods: await stockpile(service, 16, [{ bin: "A1/03", quantity: 10 }]),
  webhook: await webhooksAhead(service, 12),
});

/** A damage, and what a verification reports. */
export interface Damage {
  readonly breaks: () => Promise<unknown>;
  /** Findings that a repair corrects. */
  readonly finds?: readonly object[];
  /** Findings that a person has to decide: a repair does not change them. */
  readonly leaves?: readonly object[];
  /** Records that are unclear until others are repaired. */
  readonly hides?: readonly string[];
  /** Asserts what must hold after the repair. */
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

export async function lose(db: Database, { table, key }: Lookup): Promise<void> {
  await db.client.send(new DeleteCommand({ TableName: db.tableName(table), Key: { ...key } }));
}

/** Removes up to 25 items. */
export async function loseAll(db: Database, lookups: readonly Lookup[]): Promise<void> {
  const gone = Map.groupBy(lookups, ({ table }) => db.tableName(table));
  const RequestItems = Object.fromEntries(
    [...gone].map(([name, some]) => [name, some.map(({ key }) => ({ DeleteRequest: { Key: { ...key } } }))]),
  );
  const { UnprocessedItems = {} } = await db.client.send(new BatchWriteCommand({ RequestItems }));
  const left = Object.values(UnprocessedItems).flat().length;
  if (left > 0) throw new Error(`${left} items are still there`);
}

/** Stores an item. */
export async function invent(db: Database, { table, key }: Lookup, fields: RawItem): Promise<void> {
  await db.client.send(new PutCommand({ TableName: db.tableName(table), Item: { ...key, ...fields } }));
}
