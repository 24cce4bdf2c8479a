import type { TableDefinition } from "../assembly/tables.ts";
import { isObject } from "../json.ts";

/** Finds the partition keys that a request names, which IAM calls its leading keys. */
export class LeadingKeys {
  readonly #partitionKeys = new Map<string, string>();

  constructor(tables: readonly TableDefinition[]) {
    for (const { TableName, KeySchema } of tables) {
      const partition = KeySchema.find(({ KeyType }) => KeyType === "HASH");
      if (partition !== undefined) this.#partitionKeys.set(TableName, partition.AttributeName);
    }
  }

  /** The partition key of an item; none if it lacks the attribute. */
  ofItem(table: string, item: Readonly<Record<string, unknown>>): readonly string[] {
    const attribute = this.#partitionKeys.get(table);
    return attribute === undefined ? [] : textOf(item[attribute]);
  }

  /**
   * The partition key in a query's expression; none if the query has another form. A query of an index has
   * none either: AWS does not document its leading keys, so no policy may rely on them.
   */
  ofQuery(table: string, index: unknown, query: Readonly<Record<string, unknown>>): readonly string[] {
    if (index !== undefined) return [];
    const attribute = this.#partitionKeys.get(table);
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
}

/** `#name = :value` */
const equality = /([#\w.-]+)\s*=\s*(:\w+)/g;

/** The text of an attribute value such as `{ "S": text }`. */
const textOf = (value: unknown): readonly string[] =>
  isObject(value) ? Object.values(value).map(String).slice(0, 1) : [];
