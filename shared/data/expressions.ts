import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import type { Change, Condition, Count, Write } from "./writes.ts";

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Hands out placeholders, so that no attribute name or value is ever spliced into an expression. */
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

function condition(premise: Condition, place: Placeholders): string {
  const name = place.name(premise.attribute);
  if ("is" in premise)
    return premise.is === "present" ? `attribute_exists(${name})` : `attribute_not_exists(${name})`;
  if ("equals" in premise) return `${name} = ${place.value(premise.equals)}`;
  if ("atLeast" in premise) return `${name} >= ${place.value(premise.atLeast)}`;
  return `${name} <= ${place.value(premise.atMost)}`;
}

/** The parts of an UpdateItem that a change or a count comes down to. */
export function updateInput(db: Database, write: Change | Count) {
  const place = new Placeholders();
  const clauses: string[] = [];
  if (write.kind === "change") {
    const set = Object.entries(write.set ?? {}).map(
      ([name, value]) => `${place.name(name)} = ${place.value(value)}`,
    );
    if (set.length > 0) clauses.push(`SET ${set.join(", ")}`);
    const remove = (write.remove ?? []).map((name) => place.name(name));
    if (remove.length > 0) clauses.push(`REMOVE ${remove.join(", ")}`);
  }
  const add = Object.entries(write.add ?? {}).map(
    ([name, value]) => `${place.name(name)} ${place.value(value)}`,
  );
  if (add.length > 0) clauses.push(`ADD ${add.join(", ")}`);
  if (clauses.length === 0) throw new Error(`a ${write.kind} of ${write.table} changes nothing`);
  const premises = write.kind === "change" ? write.when.map((premise) => condition(premise, place)) : [];
  return {
    TableName: db.tableName(write.table),
    Key: { ...write.key },
    UpdateExpression: clauses.join(" "),
    ConditionExpression: premises.length > 0 ? premises.join(" AND ") : undefined,
    ExpressionAttributeNames: place.names,
    ExpressionAttributeValues: Object.keys(place.values).length > 0 ? place.values : undefined,
  };
}

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
    case "change":
    case "count":
      return { Update: updateInput(db, write) };
    case "removal":
      return { Delete: { TableName: db.tableName(write.table), Key: { ...write.key } } };
  }
}
