/** One table in memory: partitions of items in the order of their sort keys, and its indexes. */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { IndexSchema, TableSchema } from "../../../shared/store/tables.ts";
import { type Item, Refused } from "./expressions.ts";
import { bytesOfItem, compareTexts } from "./values.ts";

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** DynamoDB's limit for an item. */
const maxItemBytes = 400 * 1024;

interface PendingChange {
  readonly id: string;
  readonly item: Item | undefined;
}

/** A global index follows its table after a while: what it has not taken in yet waits in order. */
interface GlobalIndex {
  readonly items: Map<string, Item>;
  readonly pending: PendingChange[];
}

const idOf = ({ pk, sk }: ItemKey): string => `${pk}\u0000${sk}`;

export const keyOf = (item: Item): ItemKey => ({ pk: textIn(item, "pk"), sk: textIn(item, "sk") });

function textIn(item: Item, name: string): string {
  const text = item[name]?.S;
  if (text === undefined || text === "") throw new Refused(`the key attribute ${name} must be a text`);
  return text;
}

export class Table {
  readonly schema: TableSchema;
  readonly #partitions: Map<string, readonly Item[]>;
  readonly #globals: ReadonlyMap<string, GlobalIndex>;
  /** All items, as they were last asked for. */
  #all: readonly Item[] | undefined;

  constructor(
    schema: TableSchema,
    partitions: ReadonlyMap<string, readonly Item[]> = new Map(),
    globals: ReadonlyMap<string, GlobalIndex> = new Map(
      Object.entries(schema.indexes)
        .filter(([, { scope }]) => scope === "global")
        .map(([name]) => [name, { items: new Map(), pending: [] }]),
    ),
  ) {
    this.schema = schema;
    this.#partitions = new Map(partitions);
    this.#globals = globals;
  }

  copy(): Table {
    const globals = new Map<string, GlobalIndex>();
    for (const [name, { items, pending }] of this.#globals)
      globals.set(name, { items: new Map(items), pending: [...pending] });
    return new Table(this.schema, this.#partitions, globals);
  }

  get({ pk, sk }: ItemKey): Item | undefined {
    const items = this.#partitions.get(pk) ?? [];
    const place = placeOf(items, sk);
    const found = items[place];
    return found?.["sk"]?.S === sk ? found : undefined;
  }

  /** All items of the table, by partition and sort key. */
  get all(): readonly Item[] {
    this.#all ??= [...this.#partitions]
      .toSorted(([left], [right]) => compareTexts(left, right))
      .flatMap(([, items]) => items);
    return this.#all;
  }

  /** @throws Refused if DynamoDB would not store the item */
  expectStorable(item: Item): void {
    keyOf(item);
    if (bytesOfItem(item) > maxItemBytes)
      throw new Refused("Item size has exceeded the maximum allowed size");
    for (const { partitionKey, sortKey } of Object.values(this.schema.indexes)) {
      for (const name of [partitionKey, sortKey]) if (item[name] !== undefined) textIn(item, name);
    }
  }

  set(key: ItemKey, after: Item | undefined): void {
    this.#all = undefined;
    const items = this.#partitions.get(key.pk) ?? [];
    const place = placeOf(items, key.sk);
    const isThere = items[place]?.["sk"]?.S === key.sk;
    const next = items.toSpliced(place, isThere ? 1 : 0, ...(after === undefined ? [] : [after]));
    if (next.length === 0) this.#partitions.delete(key.pk);
    else this.#partitions.set(key.pk, next);
    for (const { pending } of this.#globals.values()) pending.push({ id: idOf(key), item: after });
  }

  /** The items of a partition, of the table or of an index, in order. */
  partition(value: string, index?: string): readonly Item[] {
    if (index === undefined) return this.#partitions.get(value) ?? [];
    const schema = this.schema.indexes[index];
    if (schema === undefined) throw new Refused(`there is no index ${index}`);
    const items =
      schema.scope === "local"
        ? (this.#partitions.get(value) ?? [])
        : [...(this.#globals.get(index)?.items.values() ?? [])];
    return items
      .filter((item) => isIn(schema, item) && item[schema.partitionKey]?.S === value)
      .toSorted((left, right) => compareItems(left, right, schema.sortKey))
      .map((item) => projected(schema, item));
  }

  /** Items of a whole index. */
  index(name: string): readonly Item[] {
    const schema = this.schema.indexes[name];
    if (schema === undefined) throw new Refused(`there is no index ${name}`);
    return this.all.filter((item) => isIn(schema, item)).map((item) => projected(schema, item));
  }

  /** Whether a global index holds nothing once it has taken in everything. */
  isIndexEmpty(name: string): boolean {
    this.advance(name, this.lag(name));
    return this.#globals.get(name)?.items.size === 0;
  }

  /** How many changes a global index has not taken in yet. */
  lag(index: string): number {
    return this.#globals.get(index)?.pending.length ?? 0;
  }

  /** Has a global index take in its next changes. */
  advance(name: string, count: number): void {
    const [global, schema] = [this.#globals.get(name), this.schema.indexes[name]];
    if (global === undefined || schema === undefined) return;
    for (const { id, item } of global.pending.splice(0, count)) {
      if (item !== undefined && isIn(schema, item)) global.items.set(id, item);
      else global.items.delete(id);
    }
  }
}

/** Only items with both keys of an index are in it. */
const isIn = ({ partitionKey, sortKey }: IndexSchema, item: Item): boolean =>
  item[partitionKey] !== undefined && item[sortKey] !== undefined;

/** The order of items in a table, or in an index's partition. */
export function compareItems(left: Item, right: Item, sortKey?: string): number {
  const by = (name: string): number => compareTexts(left[name]?.S ?? "", right[name]?.S ?? "");
  return (sortKey === undefined ? 0 : by(sortKey)) || by("pk") || by("sk");
}

function projected({ partitionKey, sortKey, include }: IndexSchema, item: Item): Item {
  const names = ["pk", "sk", partitionKey, sortKey, ...include];
  const kept: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Where an item with this sort key is, or would be. */
function placeOf(items: readonly Item[], sk: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTexts(items[middle]?.["sk"]?.S ?? "", sk) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
