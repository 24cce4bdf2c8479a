import type { TableDefinition } from "../../assembly/tables.ts";
import { isObject, parseJson } from "../../json.ts";
import type { Forwarded } from "../forward.ts";
import { errorOf } from "../proxied-request.ts";
import { tableName, touchedItems } from "../touched.ts";
import {
  type Charge,
  type Factor,
  type ItemKey,
  keyNamesOf,
  pick,
  queryCharge,
  readCharge,
  writeCharges,
} from "./charges.ts";
import type { Item } from "./item-size.ts";
import { wholeQuery } from "./whole-query.ts";

/** One request to DynamoDB, and what is needed to compute its cost. */
interface Metered {
  readonly name: string;
  readonly input: unknown;
  readonly tables: readonly TableDefinition[];
  /** Sends an additional request to DynamoDB; returns the body of the answer. */
  readonly ask: (name: string, input: object) => Promise<Item>;
}

/** An answer, and what the request cost. */
export interface Measured {
  readonly answer: Forwarded;
  readonly charges: readonly Charge[];
}

/**
 * Carries out a request, and works out what AWS would charge for it, item by item. The items are read beside
 * the request, before it and after.
 *
 * The figures are exact where AWS documents the rule and nothing else writes the same items at that moment.
 * Known limits:
 * - A refused condition is charged by the item that was there, as AWS states. What a cancelled transaction
 *   costs, AWS does not state. Here it is charged as if each of its items had been written unchanged.
 * - AWS documents that a transaction is charged twice for each item, and does not speak of its indexes.
 *   Published measurements show their entries charged once, so they are charged once here.
 * - A transaction that is repeated with its token is charged as written again. AWS charges a read.
 * - AWS charges a query or scan more where it searches several partitions, and a query of a local index more
 *   where it fetches attributes that the index does not project. Both count as the evaluated entries here.
 */
export const measure = async (request: Metered, carryOut: () => Promise<Forwarded>): Promise<Measured> => {
  const { name, input } = request;
  const places = touchedItems(name, input).flatMap(({ table: named, attributes }) => {
    const table = request.tables.find(({ TableName }) => TableName === named);
    return table === undefined ? [] : [{ table, key: pick(attributes, keyNamesOf(table)) }];
  });
  if (name === "Query" || name === "Scan") return measureQuery(request, carryOut);
  return name.includes("Get")
    ? measureRead(request, places, carryOut)
    : measureWrite(request, places, carryOut);
};

const measureRead = async (
  { name, input, ask }: Metered,
  places: readonly ItemKey[],
  carryOut: () => Promise<Forwarded>,
): Promise<Measured> => {
  const answer = await carryOut();
  if (answer.status !== 200) return { answer, charges: [] };
  const items = await look(places, ask);
  const factorOf = ({ table }: ItemKey): Factor => {
    if (name === "TransactGetItems") return 2;
    return isConsistent(input, table.TableName) ? 1 : 0.5;
  };
  return { answer, charges: places.map((place, at) => readCharge(place, items[at], factorOf(place))) };
};

const measureWrite = async (
  { name, ask }: Metered,
  places: readonly ItemKey[],
  carryOut: () => Promise<Forwarded>,
): Promise<Measured> => {
  const before = await look(places, ask);
  const answer = await carryOut();
  if (answer.status !== 200 && !failedConditions.has(errorOf(answer.body))) return { answer, charges: [] };
  const after = answer.status === 200 ? await look(places, ask) : before;
  const factor = name === "TransactWriteItems" ? 2 : 1;
  return {
    answer,
    charges: places.flatMap((place, at) => writeCharges(place, before[at], after[at], factor)),
  };
};

/** Errors of writes whose condition failed. Other errors cost nothing. */
const failedConditions: ReadonlySet<string> = new Set([
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
]);

const measureQuery = async (
  { name, input, tables, ask }: Metered,
  carryOut: () => Promise<Forwarded>,
): Promise<Measured> => {
  const answer = await carryOut();
  const query = isObject(input) ? input : {};
  const table = tables.find(({ TableName }) => TableName === tableName(query["TableName"]));
  if (answer.status !== 200 || table === undefined) return { answer, charges: [] };
  const whole = wholeQuery(query, parseJson(answer.body.toString("utf8")));
  const evaluated = "items" in whole ? whole.items : itemsIn((await ask(name, whole.input))["Items"]);
  const { IndexName } = query;
  const index = typeof IndexName === "string" ? IndexName : undefined;
  const factor = isConsistent(query, table.TableName) ? 1 : 0.5;
  return { answer, charges: [queryCharge(table, index, evaluated, factor)] };
};

/** Whether a read is strongly consistent: the whole request or, in a batch, its part about the table. */
const isConsistent = (input: unknown, table: string): boolean => {
  if (!isObject(input)) return false;
  const batch = input["RequestItems"];
  const part = isObject(batch) ? batch[table] : input;
  return isObject(part) && part["ConsistentRead"] === true;
};

/** The current items of these keys, read by one request: none names more than 100, as BatchGetItem. */
const look = async (
  places: readonly ItemKey[],
  ask: Metered["ask"],
): Promise<readonly (Item | undefined)[]> => {
  if (places.length === 0) return [];
  const requests = Map.groupBy(places, ({ table }) => table.TableName);
  const RequestItems = Object.fromEntries(
    [...requests].map(([table, there]) => [
      table,
      { Keys: there.map(({ key }) => key), ConsistentRead: true },
    ]),
  );
  const { Responses } = await ask("BatchGetItem", { RequestItems });
  return places.map(({ table, key }) => {
    const found = itemsIn(isObject(Responses) ? Responses[table.TableName] : undefined);
    return found.find((item) => sameKey(pick(item, keyNamesOf(table)), key));
  });
};

const sameKey = (left: Item, right: Item): boolean => JSON.stringify(left) === JSON.stringify(right);

const itemsIn = (value: unknown): readonly Item[] => (Array.isArray(value) ? value.filter(isObject) : []);
