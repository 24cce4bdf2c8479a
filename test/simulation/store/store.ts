/**
 * DynamoDB in memory, as the service uses it. A call is carried out at one moment; who goes on between calls
 * is the scheduler's to decide. `test/integration/store/memory-store.test.ts` compares its answers and its
 * refusals with those of DynamoDB Local.
 */

import { isDeepStrictEqual } from "node:util";
import {
  type BatchGetItemCommandInput,
  ConditionalCheckFailedException,
  type DeleteItemCommandInput,
  DynamoDBServiceException,
  type GetItemCommandInput,
  type KeysAndAttributes,
  type PutItemCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
  type TransactWriteItem,
  type TransactWriteItemsCommandInput,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type TableName, tableNames, tableSchemas } from "../../../shared/store/tables.ts";
import { conditionOf, type Item, Placeholders, projectionOf, Refused, updateOf } from "./expressions.ts";
import { compareItems, type ItemKey, keyOf, Table } from "./table.ts";
import { bytesOfItem } from "./values.ts";

/** A change of an item of a table with a stream. */
export interface StoredChange {
  readonly sequence: number;
  readonly table: TableName;
  readonly key: ItemKey;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

interface Planned {
  readonly name: TableName;
  readonly key: ItemKey;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** The attributes that an update names. */
  readonly updated?: readonly string[];
}

/** A condition failed. */
class Failed extends Error {
  readonly item: Item | undefined;
  constructor(item: Item | undefined) {
    super("The conditional request failed");
    this.item = item;
  }
}

type Conditions = Pick<
  PutItemCommandInput,
  "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** Bytes that one page of a query or scan holds. */
const maxPageBytes = 1024 * 1024;

const $metadata = { httpStatusCode: 200 };

export class MemoryStore {
  readonly changes: StoredChange[] = [];
  readonly #tables: ReadonlyMap<TableName, Table>;
  /** What was stored by each token: a transaction that is sent again is not carried out again. */
  readonly #tokens = new Map<string, readonly TransactWriteItem[]>();
  #sequence: number;

  constructor(from?: MemoryStore) {
    this.#tables = new Map(
      tableNames.map((name) => [name, from?.table(name).copy() ?? new Table(tableSchemas[name])]),
    );
    this.#sequence = from === undefined ? 1 : from.#sequence;
  }

  table(name: string): Table {
    const table = tableNames.find((one) => one === name);
    const found = table === undefined ? undefined : this.#tables.get(table);
    if (found === undefined) throw new Refused(`there is no table ${name}`);
    return found;
  }

  /** Whether a transaction with this token was carried out: it never conflicts when it is sent again. */
  isCarriedOut(token: string | undefined): boolean {
    return token !== undefined && this.#tokens.has(token);
  }

  /** Carries out a call. @throws the exceptions of the SDK */
  call(command: string, input: ServiceInputTypes): ServiceOutputTypes {
    try {
      return this.#answer(command, input);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw new DynamoDBServiceException({
        name: "ValidationException",
        message: error.message,
        $fault: "client",
        $metadata: { httpStatusCode: 400 },
      });
    }
  }

  #answer(command: string, input: ServiceInputTypes): ServiceOutputTypes {
    if (isOf(command, "TransactWriteItems", input)) return this.#transact(input);
    if (isOf(command, "BatchGetItem", input)) return this.#batchGet(input);
    if (isOf(command, "Query", input)) return this.#query(input);
    if (isOf(command, "Scan", input)) return this.#scan(input);
    if (isOf(command, "GetItem", input)) {
      const Item = this.table(input.TableName ?? "").get(keyOf(input.Key ?? {}));
      return { ...(Item && { Item }), $metadata };
    }
    if (isOf(command, "PutItem", input)) return this.#single(input, () => this.#put(input));
    if (isOf(command, "UpdateItem", input)) return this.#single(input, () => this.#update(input));
    if (isOf(command, "DeleteItem", input)) return this.#single(input, () => this.#delete(input));
    throw new Refused(`the store does not know ${command}`);
  }

  #single(
    input: Pick<UpdateItemCommandInput, "ReturnValues" | "ReturnValuesOnConditionCheckFailure">,
    plan: () => Planned,
  ): ServiceOutputTypes {
    try {
      const planned = plan();
      this.#commit([planned]);
      const Attributes = returned(planned, input.ReturnValues);
      return { ...(Attributes && { Attributes }), $metadata };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const shows = input.ReturnValuesOnConditionCheckFailure === "ALL_OLD" && error.item !== undefined;
      throw new ConditionalCheckFailedException({
        message: error.message,
        $metadata: { httpStatusCode: 400 },
        ...(shows && { Item: { ...error.item } }),
      });
    }
  }

  #transact({
    TransactItems: items = [],
    ClientRequestToken: token,
  }: TransactWriteItemsCommandInput): ServiceOutputTypes {
    if (items.length === 0 || items.length > 100) throw new Refused(`${items.length} items in a transaction`);
    const earlier = token === undefined ? undefined : this.#tokens.get(token);
    if (earlier !== undefined) {
      if (!isDeepStrictEqual(earlier, items)) throw new Refused("IdempotentParameterMismatch");
      return { $metadata };
    }
    const ids = new Set(items.map(identityOf));
    if (ids.size < items.length)
      throw new Refused("Transaction request cannot include multiple operations on one item");
    const planned: Planned[] = [];
    const reasons = items.map((item) => {
      try {
        planned.push(this.#planOf(item));
        return { Code: "None" };
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        const shows = (item.Update ?? item.Delete ?? item.Put ?? item.ConditionCheck)
          ?.ReturnValuesOnConditionCheckFailure;
        return {
          Code: "ConditionalCheckFailed",
          ...(shows === "ALL_OLD" && error.item !== undefined && { Item: { ...error.item } }),
        };
      }
    });
    if (planned.length < items.length)
      throw new TransactionCanceledException({
        message: "Transaction cancelled",
        $metadata: { httpStatusCode: 400 },
        CancellationReasons: reasons,
      });
    this.#commit(planned);
    if (token !== undefined) this.#tokens.set(token, items);
    return { $metadata };
  }

  #planOf(item: TransactWriteItem): Planned {
    if (item.Put !== undefined) return this.#put(item.Put);
    if (item.Update !== undefined) return this.#update(item.Update);
    if (item.Delete !== undefined) return this.#delete(item.Delete);
    throw new Refused("a transaction writes by Put, Update or Delete here");
  }

  #put({
    TableName = "",
    Item = {},
    ...conditions
  }: Pick<PutItemCommandInput, "TableName" | "Item"> & Conditions): Planned {
    const placeholders = placeholdersOf(conditions);
    return this.#plan(TableName, keyOf(Item), conditions, placeholders, () => Item);
  }

  #update({
    TableName = "",
    Key = {},
    UpdateExpression = "",
    ...conditions
  }: Pick<UpdateItemCommandInput, "TableName" | "Key" | "UpdateExpression"> & Conditions): Planned {
    const placeholders = placeholdersOf(conditions);
    const update = updateOf(UpdateExpression, placeholders);
    const planned = this.#plan(TableName, keyOf(Key), conditions, placeholders, (before) =>
      update.apply(before ?? Key),
    );
    return { ...planned, updated: update.names };
  }

  #delete({
    TableName = "",
    Key = {},
    ...conditions
  }: Pick<DeleteItemCommandInput, "TableName" | "Key"> & Conditions): Planned {
    return this.#plan(TableName, keyOf(Key), conditions, placeholdersOf(conditions), () => undefined);
  }

  #plan(
    table: string,
    key: ItemKey,
    { ConditionExpression }: Conditions,
    placeholders: Placeholders,
    change: (before: Item | undefined) => Item | undefined,
  ): Planned {
    const stored = this.table(table);
    const before = stored.get(key);
    const condition = ConditionExpression && conditionOf(ConditionExpression, placeholders);
    placeholders.expectUsed();
    if (condition && !condition(before)) throw new Failed(before);
    const after = change(before);
    if (after !== undefined) stored.expectStorable(after);
    const name = tableNames.find((one) => one === table);
    if (name === undefined) throw new Refused(`there is no table ${table}`);
    return { name, key, before, after };
  }

  #commit(planned: readonly Planned[]): void {
    for (const { name, key, before, after } of planned) {
      this.table(name).set(key, after);
      // A write that changes nothing is not in the stream.
      if (tableSchemas[name].changes !== true || isDeepStrictEqual(before, after)) continue;
      this.changes.push({ sequence: this.#sequence++, table: name, key, before, after });
    }
  }

  #batchGet({ RequestItems = {} }: BatchGetItemCommandInput): ServiceOutputTypes {
    const Responses: Record<string, Item[]> = {};
    for (const [table, { Keys = [], ...request }] of Object.entries(RequestItems)) {
      const select = selectionOf(request);
      Responses[table] = Keys.flatMap((key) => {
        const item = this.table(table).get(keyOf(key));
        return item === undefined ? [] : [select(item)];
      });
    }
    return { Responses, $metadata };
  }

  #query(input: QueryCommandInput): ServiceOutputTypes {
    const placeholders = placeholdersOf(input);
    const table = this.table(input.TableName ?? "");
    const schema = input.IndexName === undefined ? undefined : table.schema.indexes[input.IndexName];
    if (schema?.scope === "global" && input.ConsistentRead === true)
      throw new Refused("Consistent reads are not supported on global secondary indexes");
    const text = input.KeyConditionExpression ?? "";
    const [, name = "", value = ""] = /^(\S+) = (:\S+)/.exec(text) ?? [];
    if (placeholders.name(name) !== (schema?.partitionKey ?? "pk"))
      throw new Refused("Query condition missed key schema element");
    const condition = conditionOf(text, placeholders);
    const partition = placeholders.value(value).S ?? "";
    placeholders.expectUsed();
    const found = table.partition(partition, input.IndexName).filter(condition);
    const isDescending = input.ScanIndexForward === false;
    return pageOf(isDescending ? found.toReversed() : found, input, {
      keys: ["pk", "sk", ...(schema === undefined ? [] : [schema.partitionKey, schema.sortKey])],
      isAfter: (item, start) => compareItems(item, start, schema?.sortKey) * (isDescending ? -1 : 1) > 0,
    });
  }

  #scan(input: ScanCommandInput): ServiceOutputTypes {
    const table = this.table(input.TableName ?? "");
    const items = input.IndexName === undefined ? table.all : table.index(input.IndexName);
    const { Segment = 0, TotalSegments = 1, FilterExpression } = input;
    const placeholders = placeholdersOf(input);
    const filter = FilterExpression === undefined ? () => true : conditionOf(FilterExpression, placeholders);
    const names = input.ProjectionExpression && projectionOf(input.ProjectionExpression, placeholders);
    placeholders.expectUsed();
    const own = items.filter((item) => partOf(item["pk"]?.S ?? "", TotalSegments) === Segment);
    return pageOf(own, input, {
      keys: ["pk", "sk"],
      isAfter: (item, start) => compareItems(item, start) > 0,
      select: (item) => (names ? only(names, item) : item),
      filter,
    });
  }
}

/** The calls that the store carries out. */
interface Inputs {
  readonly BatchGetItem: BatchGetItemCommandInput;
  readonly DeleteItem: DeleteItemCommandInput;
  readonly GetItem: GetItemCommandInput;
  readonly PutItem: PutItemCommandInput;
  readonly Query: QueryCommandInput;
  readonly Scan: ScanCommandInput;
  readonly TransactWriteItems: TransactWriteItemsCommandInput;
  readonly UpdateItem: UpdateItemCommandInput;
}

const isOf = <N extends keyof Inputs>(
  command: string,
  name: N,
  _input: ServiceInputTypes,
): _input is Inputs[N] & ServiceInputTypes => command === name;

/** The item that a write of a transaction is about. */
const identityOf = ({ Put, Update, Delete }: TransactWriteItem): string => {
  const key = keyOf(Put?.Item ?? Update?.Key ?? Delete?.Key ?? {});
  return JSON.stringify([(Put ?? Update ?? Delete)?.TableName, key.pk, key.sk]);
};

function returned({ after, updated = [] }: Planned, which = "NONE"): Item | undefined {
  switch (which) {
    case "NONE":
      return undefined;
    case "ALL_NEW":
      return after;
    case "UPDATED_NEW":
      return only(updated, after ?? {});
    default:
      throw new Refused(`the store does not return ${which}`);
  }
}

const placeholdersOf = ({
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: Pick<QueryCommandInput, "ExpressionAttributeNames" | "ExpressionAttributeValues">) =>
  new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues);

const only = (names: readonly string[], item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));

function selectionOf({
  ProjectionExpression,
  ExpressionAttributeNames,
}: Pick<KeysAndAttributes, "ProjectionExpression" | "ExpressionAttributeNames">): (item: Item) => Item {
  const placeholders = new Placeholders(ExpressionAttributeNames);
  const names = ProjectionExpression && projectionOf(ProjectionExpression, placeholders);
  placeholders.expectUsed();
  return (item) => (names ? only(names, item) : item);
}

/** The part of `parts` to which a partition belongs: of a segmented scan, or of a stream's shards. */
export function partOf(pk: string, parts: number): number {
  let hash = 7;
  for (let position = 0; position < pk.length; position += 1)
    hash = (hash * 31 + pk.charCodeAt(position)) % 65_521;
  return hash % parts;
}

/** How the items of a query or scan are paged and shown. */
interface Paging {
  /** The attributes that name a position. */
  readonly keys: readonly string[];
  readonly isAfter: (item: Item, start: Item) => boolean;
  readonly select?: (item: Item) => Item;
  readonly filter?: (item: Item) => boolean;
}

/** One answer of a query or scan: at most `Limit` items and 1 MB, counted before the filter. */
function pageOf(
  items: readonly Item[],
  { ExclusiveStartKey, Limit = Number.POSITIVE_INFINITY, Select }: ScanCommandInput | QueryCommandInput,
  { keys, isAfter, select = (item) => item, filter = () => true }: Paging,
): ServiceOutputTypes {
  const rest = ExclusiveStartKey ? items.filter((item) => isAfter(item, ExclusiveStartKey)) : items;
  const page: Item[] = [];
  let bytes = 0;
  for (const item of rest) {
    if (page.length >= Limit || bytes > maxPageBytes) break;
    page.push(item);
    bytes += bytesOfItem(item);
  }
  const found = page.filter(filter);
  const end = page.at(-1);
  // DynamoDB names a position whenever a limit ended the page, also if nothing comes after it.
  const isMore = page.length < rest.length || page.length === Limit;
  return {
    ...(Select !== "COUNT" && { Items: found.map(select) }),
    Count: found.length,
    ScannedCount: page.length,
    ...(isMore && end && { LastEvaluatedKey: only(keys, end) }),
    $metadata,
  };
}
