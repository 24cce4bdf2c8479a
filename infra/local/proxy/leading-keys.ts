import type { TableDefinition } from "../assembly/tables.ts";
import { isObject } from "../json.ts";

/** Finds the partition keys that a request names: what IAM calls its leading keys. */
export class LeadingKeys {
  readonly #partitionKeys = new Map<string, string>();

  constructor(tables: readonly TableDefinition[]) {
    for (const { TableName, KeySchema, LocalSecondaryIndexes, GlobalSecondaryIndexes } of tables) {
      this.#add(TableName, KeySchema);
      for (const index of [...(LocalSecondaryIndexes ?? []), ...(GlobalSecondaryIndexes ?? [])])
        this.#add(placeOf(TableName, index.IndexName), index.KeySchema);
    }
  }

  /** The partition keys of items. An item that lacks one has none. */
  ofItems(table: string, items: readonly unknown[]): readonly string[] {
    const attribute = this.#partitionKeys.get(table);
    if (attribute === undefined) return [];
    return items.flatMap((item) => (isObject(item) ? textOf(item[attribute]) : []));
  }

  /** The partition key that a query states by its expression; none where the query states it in another way. */
  ofQuery(
    table: string,
    index: string | undefined,
    query: Readonly<Record<string, unknown>>,
  ): readonly string[] {
    const attribute = this.#partitionKeys.get(index === undefined ? table : placeOf(table, index));
    const names = query["ExpressionAttributeNames"];
    const values = query["ExpressionAttributeValues"];
    for (const [, name = "", value = ""] of String(query["KeyConditionExpression"] ?? "").matchAll(
      equality,
    )) {
      const named = isObject(names) && name in names ? names[name] : name;
      if (named === attribute && isObject(values)) return textOf(values[value]);
    }
    return [];
  }

  #add(place: string, schema: TableDefinition["KeySchema"]): void {
    const partition = schema.find(({ KeyType }) => KeyType === "HASH");
    if (partition !== undefined) this.#partitionKeys.set(place, partition.AttributeName);
  }
}

/** `#name = :value` */
const equality = /([#\w.-]+)\s*=\s*(:\w+)/g;

const placeOf = (table: string, index: string): string => `${table}/${index}`;

/** The text of an attribute's value, `{ "S": text }` and the like. */
const textOf = (value: unknown): readonly string[] =>
  isObject(value) ? Object.values(value).map(String).slice(0, 1) : [];
