import type { TableName } from "../tables.ts";
import { joined, type Key, textOf } from "./keys.ts";

/** A condition of a write. All of a write's conditions must hold, or nothing of its transaction is stored. */
export type Condition =
  | { readonly attribute: string; readonly is: "present" | "absent" }
  | { readonly attribute: string; readonly equals: string | number }
  /** Any value, lists and maps included. */
  | { readonly attribute: string; readonly equalsValue: unknown }
  /** Holds for an item that is not there, too. */
  | { readonly attribute: string; readonly equalsOrNew: number }
  | { readonly attribute: string; readonly atLeast: number }
  | { readonly attribute: string; readonly atMost: number | string };

/** Makes the error that a caller is given where a condition fails. */
export type Rejection = () => Error;

/** Puts an item whose key must be free. */
export interface Insert {
  readonly kind: "insert";
  readonly table: TableName;
  readonly item: Key & Readonly<Record<string, unknown>>;
  /** Whether nobody else can take the key. Such an insert is never refused. */
  readonly own?: boolean;
  readonly rejection: Rejection;
}

/**
 * Sets, removes and adds to attributes of one item, and appends to its lists. Quantities are added to. What sets one from
 * a read has the read value for a condition.
 */
export interface Change {
  readonly kind: "change";
  readonly table: TableName;
  readonly key: Key;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly add?: Readonly<Record<string, number>>;
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  readonly when: readonly Condition[];
  /** Whether nobody else can break the conditions. Such a change is never refused. */
  readonly own?: boolean;
  readonly rejection: Rejection;
}

/**
 * Adds to counters of one item. A count has no condition on their values, so it never fails. Several counts on one item
 * in one transaction merge into one, as do those of one group.
 */
export interface Count {
  readonly kind: "count";
  readonly table: TableName;
  readonly key: Key;
  readonly add: Readonly<Record<string, number>>;
  /** Attributes to be set. Where several counts of a transaction set one, the last holds. */
  readonly set?: Readonly<Record<string, string>>;
  /**
   * Counts of one group may lie in any of several items. In a transaction, the item of the first counts them all. No other
   * write of the transaction may touch these items.
   */
  readonly group?: string;
  /** Has the count spread, to the slot of this number, where the item is crowded; see `crowded.ts`. */
  readonly slot?: number;
}

/** Deletes an item. Without a condition it never fails, whether the item is there or not. */
export interface Removal {
  readonly kind: "removal";
  readonly table: TableName;
  readonly key: Key;
  readonly when: readonly Condition[];
  readonly rejection: Rejection;
}

/** A write that has conditions, and so can keep its transaction from being stored. */
export type Conditional = Insert | Change | Removal;

export type Write = Conditional | Count;

/** Thrown where a write's condition, read a moment before, no longer holds. The caller reads again and decides anew. */
export class Stale extends Error {
  override readonly name: string = "Stale";
}

export const stale: Rejection = () => new Stale("the record changed meanwhile");

/** The attribute of an item that a saga holds, until its last step: the saga's name. See `sagas/saga.ts`. */
export const sagaAttribute = "underway";

/** Thrown if a saga holds the item. The item can't be changed before the saga's last step. */
export class SagaInProgress extends Stale {
  override readonly name = "Underway";
  /** The name of the saga. */
  readonly saga: string;

  constructor(saga: string) {
    super("the record is being stored just now");
    this.saga = saga;
  }
}

/** Where the item of a write lies. */
type Place = Pick<Change, "table" | "key">;

/** A condition that these attributes of an item are as they were read, as a write that leaves them so. */
export const unchanged = (
  { table, key }: Place,
  read: Readonly<Record<string, string | number>>,
): Change => ({
  kind: "change",
  table,
  key,
  set: read,
  when: Object.entries(read).map(([attribute, equals]) => ({ attribute, equals })),
  rejection: stale,
});

/** Sets attributes of an item where the conditions hold; puts the item where none was read (`before` undefined). */
export const setOrInsert = (
  { table, key }: Place,
  before: unknown,
  set: Readonly<Record<string, string | number>>,
  when: readonly Condition[],
): Insert | Change =>
  before === undefined
    ? { kind: "insert", table, item: { ...key, ...set }, rejection: stale }
    : { kind: "change", table, key, set, when, rejection: stale };

export const keyOf = (write: Write): Key =>
  write.kind === "insert" ? { pk: write.item.pk, sk: write.item.sk } : write.key;

/** A text that says which item a write touches. */
export const placeOf = (write: Write): string => textOf(write.table, keyOf(write));

/** A text that is the same for writes that become one: those of an item, and counts of a group. */
export const mergingPlaceOf = (write: Write): string =>
  write.kind === "count" && write.group !== undefined ? joined(write.table, write.group) : placeOf(write);

/**
 * The writes, with those on the same item made one, in the place of the first. Counts become one count, as do those of one
 * group. Counts on an
 * item that is inserted before them become part of the insert. A change that builds on an earlier change becomes part of
 * that change. Undefined where other writes touch the same item: DynamoDB takes an item once a transaction.
 */
export function merged(writes: readonly Write[]): readonly Write[] | undefined {
  const items = new Map<string, Write>();
  return mergeInto(items, writes) ? [...items.values()] : undefined;
}

/** Merges writes into those of `items`, which go by their places. @returns whether they could be; `items` is of no use else */
export function mergeInto(items: Map<string, Write>, writes: readonly Write[]): boolean {
  for (const write of writes) {
    const place = mergingPlaceOf(write);
    const earlier = items.get(place);
    const both = earlier === undefined ? write : together(earlier, write);
    if (both === undefined) return false;
    items.set(place, both);
  }
  return true;
}

/** Two writes on one item, or counts of one group, as one; undefined where they can't be. */
function together(earlier: Write, later: Write): Write | undefined {
  if (later.kind === "count") {
    if (earlier.kind === "count") {
      const set = { ...earlier.set, ...later.set };
      const add = sum(earlier.add, later.add);
      return { ...earlier, add, ...(Object.keys(set).length > 0 && { set }) };
    }
    return earlier.kind === "insert"
      ? { ...earlier, item: { ...withCounters(earlier.item, later.add), ...later.set } }
      : undefined;
  }
  return later.kind === "change" && earlier.kind === "change" && buildsOn(later, earlier)
    ? inSuccession(earlier, later)
    : undefined;
}

/** Whether an earlier change makes the conditions of a later one true, and neither sets an attribute the other adds to. */
const buildsOn = (later: Change, earlier: Change): boolean =>
  later.when.length > 0 &&
  later.when.every(
    (condition) => "equals" in condition && earlier.set?.[condition.attribute] === condition.equals,
  ) &&
  !setsSome(earlier, Object.keys(later.add ?? {})) &&
  !setsSome(later, Object.keys(earlier.add ?? {}));

const setsSome = ({ set = {}, remove = [] }: Change, attributes: readonly string[]): boolean =>
  attributes.some((name) => name in set || remove.includes(name));

/** Two changes of one item as one. Where both change an attribute, the later holds. */
function inSuccession(earlier: Change, later: Change): Change {
  const removed = new Set([...(earlier.remove ?? []), ...(later.remove ?? [])]);
  for (const name of Object.keys(later.set ?? {})) removed.delete(name);
  const set = Object.entries({ ...earlier.set, ...later.set }).filter(([name]) => !removed.has(name));
  return {
    ...earlier,
    set: Object.fromEntries(set),
    remove: [...removed],
    add: sum(earlier.add ?? {}, later.add ?? {}),
  };
}

/** The item after its counters were added to. A counter that the item lacks counts from 0. */
function withCounters(item: Insert["item"], add: Readonly<Record<string, number>>): Insert["item"] {
  const counters = Object.fromEntries(Object.keys(add).map((name) => [name, Number(item[name] ?? 0)]));
  return { ...item, ...sum(counters, add) };
}

function sum(left: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>) {
  const total: Record<string, number> = { ...left };
  for (const [name, value] of Object.entries(right)) total[name] = (total[name] ?? 0) + value;
  return total;
}
