import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import {
  type Change,
  type Condition,
  type Count,
  type Removal,
  sagaAttribute,
  type Write,
} from "./writes.ts";

export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Allocates placeholders, so that no attribute name or value is spliced into an expression. */
class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};
  #count = 0;

  name(attribute: string): string {
    const placeholder = `#n${this.#count++}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:v${this.#count++}`;
    this.values[placeholder] = value;
    return placeholder;
  }
}

function conditionText(condition: Condition, place: Placeholders): string {
  const name = place.name(condition.attribute);
  if ("is" in condition)
    return condition.is === "present" ? `attribute_exists(${name})` : `attribute_not_exists(${name})`;
  if ("equals" in condition) return `${name} = ${place.value(condition.equals)}`;
  if ("equalsValue" in condition) return `${name} = ${place.value(condition.equalsValue)}`;
  if ("equalsOrNew" in condition)
    return `(${name} = ${place.value(condition.equalsOrNew)} OR attribute_not_exists(${place.name("pk")}))`;
  if ("atLeast" in condition) return `${name} >= ${place.value(condition.atLeast)}`;
  return `${name} <= ${place.value(condition.atMost)}`;
}

/**
 * All of `conditions` as one expression. Undefined if there are none, since DynamoDB rejects an empty
 * expression.
 */
const conditionsText = (conditions: readonly Condition[], place: Placeholders): string | undefined =>
  conditions.map((condition) => conditionText(condition, place)).join(" AND ") || undefined;

/** The entries, or undefined if there are none, since DynamoDB rejects an empty object. */
const filled = <T>(entries: Record<string, T>): Record<string, T> | undefined =>
  Object.keys(entries).length > 0 ? entries : undefined;

/** Appends values to a list, or creates it. */
const appended = (name: string, values: readonly unknown[], place: Placeholders): string =>
  `${place.name(name)} = list_append(if_not_exists(${place.name(name)}, ${place.value([])}), ${place.value(values)})`;

/** The parameters of UpdateItem for a change or a count. */
export function updateInput(db: Database, write: Change | Count) {
  const place = new Placeholders();
  const clauses: string[] = [];
  const set = [
    ...Object.entries(write.set ?? {}).map(([name, value]) => `${place.name(name)} = ${place.value(value)}`),
    ...(write.kind === "change"
      ? Object.entries(write.append ?? {}).map(([name, values]) => appended(name, values, place))
      : []),
  ];
  if (set.length > 0) clauses.push(`SET ${set.join(", ")}`);
  if (write.kind === "change") {
    const remove = (write.remove ?? []).map((name) => place.name(name));
    if (remove.length > 0) clauses.push(`REMOVE ${remove.join(", ")}`);
  }
  const add = Object.entries(write.add ?? {}).map(
    ([name, value]) => `${place.name(name)} ${place.value(value)}`,
  );
  if (add.length > 0) clauses.push(`ADD ${add.join(", ")}`);
  if (clauses.length === 0) throw new Error(`a ${write.kind} of ${write.table} changes nothing`);
  const conditions = write.kind === "change" ? write.when : [];
  return {
    TableName: db.tableName(write.table),
    Key: { ...write.key },
    UpdateExpression: clauses.join(" "),
    ConditionExpression: conditionsText(conditions, place),
    ExpressionAttributeNames: place.names,
    ExpressionAttributeValues: filled(place.values),
  };
}

function deleteInput(db: Database, { table, key, when }: Removal) {
  const place = new Placeholders();
  return {
    TableName: db.tableName(table),
    Key: { ...key },
    ConditionExpression: conditionsText(when, place),
    ExpressionAttributeNames: filled(place.names),
    ExpressionAttributeValues: filled(place.values),
  };
}

/** Rejects a write of an item that a saga holds. The saga's own writes name the attribute themselves. */
const unlessHeld = <T extends Change | Removal>(write: T): T =>
  ("own" in write && write.own === true) || write.when.some(({ attribute }) => attribute === sagaAttribute)
    ? write
    : { ...write, when: [...write.when, { attribute: sagaAttribute, is: "absent" }] };

/** Returns the item if a condition fails, so that `transact.ts` sees whether a saga holds it. */
const showing = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

/** One write as an item of TransactWriteItems. */
export function transactItem(db: Database, write: Write): TransactItem {
  switch (write.kind) {
    case "insert":
      return {
        Put: {
          TableName: db.tableName(write.table),
          Item: { ...write.item },
          ConditionExpression: "attribute_not_exists(pk)",
        },
      };
    case "count":
      return { Update: updateInput(db, write) };
    case "change":
      return { Update: { ...updateInput(db, unlessHeld(write)), ...showing } };
    case "removal":
      return write.when.length === 0
        ? { Delete: deleteInput(db, write) }
        : { Delete: { ...deleteInput(db, unlessHeld(write)), ...showing } };
  }
}
