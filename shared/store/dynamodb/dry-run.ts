/**
 * Dry runs: calls that are answered as if they were carried out, and that store nothing (docs/decisions.md,
 * Dry runs).
 *
 * The `db` of such a call has a `dryRun`, and its client rejects every write, so that code that forgets the
 * dry run fails. Only `transact.ts` uses the call's own client: it sends the writes of each transaction that
 * can fail, with one more item whose condition never holds. DynamoDB evaluates all conditions, reports which
 * of them failed, and stores nothing. Ids are not allocated either: new records have ids from
 * `firstUnassignedId` on.
 *
 * A transaction may build on an earlier one of the same call: the second of two returns of an order changes
 * the order as the first one left it. So the writes of the call are kept here. A condition on an attribute
 * that they set is evaluated here instead, and the bound of a condition on an attribute to which they add is
 * shifted accordingly.
 */
import { isDeepEqual } from "../../common/deep-equal.ts";
import type { Database } from "./database.ts";
import { type Condition, type Conditional, canFail, itemKeyOf, type Write } from "./writes.ts";

/** Ids from here on are those of records that a dry run does not store. Real ids never reach it. */
export const firstUnassignedId = 999_000_000_000;

/** The value of an attribute, or what is added to the value of the stored item, which must have one. */
type After = { readonly value: unknown } | { readonly added: number };

/** The writes of a dry run so far, as if they had been carried out. */
export class DryRun {
  /** The call's own connection, which does store what it is sent. */
  readonly connection: Database;
  readonly #written = new Map<string, Write[]>();

  constructor(connection: Database) {
    this.connection = connection;
  }

  /** The writes whose conditions DynamoDB must evaluate, up to the first that fails by earlier writes. */
  check(writes: readonly Write[]): {
    readonly open: readonly Conditional[];
    readonly failed?: Conditional;
  } {
    const open: Conditional[] = [];
    for (const write of writes.filter(canFail)) {
      const left = this.#leftOf(write);
      if (left === "fails") return { open, failed: write };
      if (left !== "holds") open.push(left);
    }
    return { open };
  }

  note(writes: readonly Write[]): void {
    for (const write of writes) {
      const key = itemKeyOf(write);
      this.#written.set(key, [...(this.#written.get(key) ?? []), write]);
    }
  }

  /** Starts over: the call is planned again from what is stored. */
  restart(): void {
    this.#written.clear();
  }

  /** A write with the conditions that earlier writes leave undecided. */
  #leftOf(write: Conditional): Conditional | "holds" | "fails" {
    const earlier = this.#written.get(itemKeyOf(write));
    if (earlier === undefined) return write;
    const open: Condition[] = [];
    for (const condition of conditionsOf(write)) {
      const after = attributeAfter(earlier, condition.attribute);
      if ("added" in after) open.push(...lowerCondition(condition, after.added));
      else if (!holds(condition, after.value, attributeAfter(earlier, "pk"))) return "fails";
    }
    return write.kind === "insert" || open.length === 0 ? "holds" : { ...write, when: open };
  }
}

/** The `db` of a dry run with this connection. If this is the connection of a dry run, it begins another. */
export function dryRunOf({ dryRun, ...db }: Database): Database {
  const connection = dryRun?.connection ?? db;
  return { ...connection, client: readOnly(connection.client), dryRun: new DryRun(connection) };
}

const reads: ReadonlySet<unknown> = new Set([
  "BatchGetItemCommand",
  "GetItemCommand",
  "QueryCommand",
  "ScanCommand",
]);

/** A client that throws instead of writing. */
function readOnly(client: Database["client"]): Database["client"] {
  const limited: Database["client"] = Object.create(client);
  limited.middlewareStack = client.middlewareStack.clone();
  limited.middlewareStack.add((next, { commandName }) => async (args) => {
    if (!reads.has(commandName)) throw new Error(`a dry run would store what ${commandName} writes`);
    return next(args);
  });
  return limited;
}

const conditionsOf = (write: Conditional): readonly Condition[] =>
  write.kind === "insert" ? [{ attribute: "pk", is: "absent" }] : write.when;

const attributeAfter = (writes: readonly Write[], attribute: string): After =>
  writes.reduce<After>((before, write) => next(before, write, attribute), { added: 0 });

function next(before: After, write: Write, attribute: string): After {
  if (write.kind === "insert") return { value: write.item[attribute] };
  if (write.kind === "removal") return { value: undefined };
  if (attribute === "pk") return { value: write.key.pk };
  const { set = {}, add = {} } = write;
  if (attribute in set) return { value: set[attribute] };
  if (write.kind === "change" && write.remove?.includes(attribute) === true) return { value: undefined };
  const added = add[attribute] ?? 0;
  if (added === 0) return before;
  return "added" in before ? { added: before.added + added } : { value: Number(before.value ?? 0) + added };
}

/** The condition on the stored number that makes `condition` hold once `added` is added to it. */
function lowerCondition(condition: Condition, added: number): readonly Condition[] {
  if (added === 0) return [condition];
  const { attribute } = condition;
  const less = (bound: unknown) => Number(bound) - added;
  if ("is" in condition) return condition.is === "present" ? [] : [condition];
  if ("equals" in condition) return [{ attribute, equals: less(condition.equals) }];
  if ("equalsOrNew" in condition) return [{ attribute, equals: less(condition.equalsOrNew) }];
  if ("atLeast" in condition) return [{ attribute, atLeast: less(condition.atLeast) }];
  return [{ attribute, atMost: less(condition.atMost) }];
}

function holds(condition: Condition, value: unknown, key: After): boolean {
  if ("is" in condition) return (value !== undefined) === (condition.is === "present");
  if ("equals" in condition) return isDeepEqual(value, condition.equals);
  if ("equalsOrNew" in condition)
    return value === condition.equalsOrNew || ("value" in key && key.value === undefined);
  const [low, high] = "atLeast" in condition ? [condition.atLeast, value] : [value, condition.atMost];
  if (typeof low === "string" && typeof high === "string") return low <= high;
  return typeof low === "number" && typeof high === "number" && low <= high;
}
