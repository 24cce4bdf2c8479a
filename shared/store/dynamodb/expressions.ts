import { randomUUID } from "node:crypto";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import {
  type Change,
  type Condition,
  type Conditional,
  type Count,
  keyOf,
  type Removal,
  sagaAttribute,
  type Write,
} from "./writes.ts";

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

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

function conditionText(condition: Condition, placeholders: Placeholders): string {
  const name = placeholders.name(condition.attribute);
  if ("is" in condition)
    return condition.is === "present" ? `attribute_exists(${name})` : `attribute_not_exists(${name})`;
  if ("equals" in condition) return `${name} = ${placeholders.value(condition.equals)}`;
  if ("equalsOrNew" in condition)
    return `(${name} = ${placeholders.value(condition.equalsOrNew)} OR attribute_not_exists(${placeholders.name("pk")}))`;
  if ("atLeast" in condition) return `${name} >= ${placeholders.value(condition.atLeast)}`;
  return `${name} <= ${placeholders.value(condition.atMost)}`;
}

/** The entries, or undefined if there are none, since DynamoDB rejects an empty object. */
const unlessEmpty = <T>(entries: Record<string, T>): Record<string, T> | undefined =>
  Object.keys(entries).length > 0 ? entries : undefined;

/** The common part of an update and a deletion. `placeholders` has those of the update already. */
const conditional = (
  db: Database,
  { table, key }: Pick<Change, "table" | "key">,
  when: readonly Condition[],
  placeholders: Placeholders,
) => ({
  TableName: db.tableName(table),
  Key: { ...key },
  ConditionExpression:
    when.map((condition) => conditionText(condition, placeholders)).join(" AND ") || undefined,
  ExpressionAttributeNames: unlessEmpty(placeholders.names),
  ExpressionAttributeValues: unlessEmpty(placeholders.values),
});

export function updateInput(db: Database, write: Change | Count) {
  const placeholders = new Placeholders();
  const { append = {}, remove = [], when = [] }: Partial<Change> = write.kind === "change" ? write : {};
  const appended = Object.entries(append).map(([name, values]) => {
    const list = `if_not_exists(${placeholders.name(name)}, ${placeholders.value([])})`;
    return `${placeholders.name(name)} = list_append(${list}, ${placeholders.value(values)})`;
  });
  const set = Object.entries(write.set ?? {}).map(
    ([name, value]) => `${placeholders.name(name)} = ${placeholders.value(value)}`,
  );
  const add = Object.entries(write.add ?? {}).map(
    ([name, value]) => `${placeholders.name(name)} ${placeholders.value(value)}`,
  );
  const clauses = Object.entries({
    SET: [...set, ...appended],
    REMOVE: remove.map((name) => placeholders.name(name)),
    ADD: add,
  })
    .filter(([, parts]) => parts.length > 0)
    .map(([verb, parts]) => `${verb} ${parts.join(", ")}`);
  if (clauses.length === 0) throw new Error(`a ${write.kind} of ${write.table} changes nothing`);
  return { ...conditional(db, write, when, placeholders), UpdateExpression: clauses.join(" ") };
}

const deleteInput = (db: Database, removal: Removal) =>
  conditional(db, removal, removal.when, new Placeholders());

/** Rejects a write of an item that a saga has locked. The saga's own writes name the attribute themselves. */
const unlessLocked = <T extends Change | Removal>(write: T): T =>
  (write.kind === "change" && write.ignoresLocks === true) ||
  write.when.some(({ attribute }) => attribute === sagaAttribute)
    ? write
    : { ...write, when: [...write.when, { attribute: sagaAttribute, is: "absent" }] };

/** Returns the item if a condition fails, so that `transact.ts` sees whether a saga has locked it. */
const showing = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

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
      return { Update: { ...updateInput(db, unlessLocked(write)), ...showing } };
    case "removal":
      return write.when.length === 0
        ? { Delete: deleteInput(db, write) }
        : { Delete: { ...deleteInput(db, unlessLocked(write)), ...showing } };
  }
}

/**
 * An item of a transaction whose condition never holds. It is written like `model`, in the same table and
 * with the same verb, so that the function is allowed to; its key is new, so that no other call collides with
 * it.
 */
export function neverHolds(db: Database, model: Conditional): TransactItem {
  const Key = { pk: keyOf(model).pk, sk: `dry-run#${randomUUID()}` };
  const item = { TableName: db.tableName(model.table), ConditionExpression: "attribute_exists(pk)" };
  switch (model.kind) {
    case "insert":
      return { Put: { ...item, Item: Key } };
    case "change":
      return { Update: { ...item, Key, UpdateExpression: "REMOVE dry_run" } };
    case "removal":
      return { Delete: { ...item, Key } };
  }
}
