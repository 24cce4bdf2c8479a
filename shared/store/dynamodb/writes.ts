/**
 * Writes as values. Repositories return them, flows combine them, and `transact.ts` stores them in one
 * transaction. Writes on the same item merge into one if they can (`mergeWrites`), because DynamoDB accepts
 * an item once per transaction.
 */
import type { TableName } from "../tables.ts";
import { joined, type Key, textOf } from "./keys.ts";
import type { Lookup } from "./reads.ts";

/** A condition of a write. If one fails, nothing of the transaction is stored. */
export type Condition =
  | { readonly attribute: string; readonly is: "present" | "absent" }
  | { readonly attribute: string; readonly equals: unknown }
  /** Also holds if the item does not exist. */
  | { readonly attribute: string; readonly equalsOrNew: number }
  | { readonly attribute: string; readonly atLeast: number }
  | { readonly attribute: string; readonly atMost: number | string };

/** Creates the error to throw if a condition fails; by default `Stale`. */
export type Rejection = () => Error;

/** A write whose item names the call that made it. */
interface Traced {
  /** See `stampRequestId`. */
  readonly traced?: boolean;
}

/** Puts an item whose key must be free. */
export interface Insert extends Traced {
  readonly kind: "insert";
  readonly table: TableName;
  readonly item: Key & Readonly<Record<string, unknown>>;
  /** Whether no other writer can take the key. */
  readonly neverFails?: boolean;
  /** What counts this item, as by `mergeKeyOf`. A saga stores both in one step: see `countWith`. */
  readonly countedBy?: string;
  readonly rejection?: Rejection | undefined;
}

/**
 * Sets, removes and adds to attributes of one item, and appends to its lists. Quantities use `add`. A `set`
 * that derives a value from a read has the read value as a condition.
 */
export interface Change extends Traced {
  readonly kind: "change";
  readonly table: TableName;
  readonly key: Key;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly add?: Readonly<Record<string, number>>;
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  readonly when: readonly Condition[];
  /** Whether it goes ahead while a saga has the item locked. No other writer may break its conditions. */
  readonly ignoresLocks?: boolean;
  readonly rejection?: Rejection | undefined;
}

/** Adds to counters of one item, without a condition, so it never fails. Counts of an item merge. */
export interface Count extends Traced {
  readonly kind: "count";
  readonly table: TableName;
  readonly key: Key;
  readonly add: Readonly<Record<string, number>>;
  /** Attributes to set. If several counts of a transaction set one, the last wins. */
  readonly set?: Readonly<Record<string, string>>;
  /**
   * Counts of one group may go to any of several items; a transaction adds them all to the item of the first.
   * No other write of the transaction may touch any of these items.
   */
  readonly group?: string;
  /** The shard that takes the count while the item is a hot key; see `sharded-counter.ts`. */
  readonly shard?: number;
}

/** Deletes an item. Without a condition it never fails, whether or not the item exists. */
export interface Removal {
  readonly kind: "removal";
  readonly table: TableName;
  readonly key: Key;
  readonly when: readonly Condition[];
  readonly rejection?: Rejection | undefined;
}

/** A write whose condition can keep its transaction from being stored. */
export type Conditional = Insert | Change | Removal;

export type Write = Conditional | Count;

/**
 * The writes of one record: first the one of its own item, by which a saga is named; then what else belongs
 * to it, such as its counts and lookups; last, its effects on other records.
 */
export type RecordWrites = readonly [record: Conditional, ...others: Write[]];

/** The writes of a record, or none if it stays as it is. */
export type PlannedWrites = RecordWrites | readonly [];

/** Adds effects to the writes of a record. A record that stays as it is has none. */
export function withEffects(planned: PlannedWrites, effects: readonly Write[]): PlannedWrites {
  const [record, ...others] = planned;
  if (record !== undefined) return [record, ...others, ...effects];
  if (effects.length > 0) throw new Error("a record that stays as it is has effects");
  return [];
}

/** Records that are stored together, as if the others were effects of the first. */
export const storedTogether = ([first, ...others]: readonly Conditional[]): PlannedWrites =>
  first === undefined ? [] : [first, ...others];

export function canFail(write: Write): write is Conditional {
  switch (write.kind) {
    case "insert":
      return write.neverFails !== true;
    case "change":
      return write.ignoresLocks !== true;
    case "removal":
      return write.when.length > 0;
    case "count":
      return false;
  }
}

/** Thrown if a condition that held when the item was read fails. The caller reads again and retries. */
export class Stale extends Error {
  override readonly name: string = "Stale";
}

export const stale: Rejection = () => new Stale("the record changed meanwhile");

export const rejectionOf = ({ rejection = stale }: Conditional): Error => rejection();

/** The attribute of an item that a saga locks until its last step: the saga's name. See `sagas/saga.ts`. */
export const sagaAttribute = "underway";

/** Thrown if a saga has locked the item. The item can't be changed before the saga's last step. */
export class SagaInProgress extends Stale {
  override readonly name = "SagaInProgress";
  readonly saga: string;

  constructor(saga: string) {
    super("the record is being stored just now");
    this.saga = saga;
  }
}

/** What holds for an item that exists. */
export const exists = { attribute: "pk", is: "present" } as const;

/** The condition that an attribute is as it was read; it must be absent if it was. */
export const still = (attribute: string, read: unknown): Condition =>
  read === undefined ? { attribute, is: "absent" } : { attribute, equals: read };

export const insertOf = (
  { table, key }: Lookup,
  fields: object,
  more: Pick<Insert, "neverFails" | "rejection"> = {},
): Insert => ({ kind: "insert", table, item: { ...key, ...fields }, ...more });

/** A count and what it counts, such as units of stock and their movement. A saga stores them in one step. */
export function countWith(count: Count, ...counted: readonly Insert[]): readonly Write[] {
  const countedBy = mergeKeyOf(count);
  return [count, ...counted.map((insert) => ({ ...insert, countedBy }))];
}

/** Deletes an item if the conditions hold; without any, whether or not it exists. */
export const removalOf = ({ table, key }: Lookup, ...when: readonly Condition[]): Removal => ({
  kind: "removal",
  table,
  key,
  when,
});

/** A no-op write asserting that these attributes are as they were read. */
export const unchanged = (
  { table, key }: Lookup,
  read: Readonly<Record<string, string | number>>,
): Change => ({
  kind: "change",
  table,
  key,
  set: read,
  when: Object.entries(read).map(([attribute, equals]) => ({ attribute, equals })),
});

/** Sets attributes if the conditions hold; inserts the item if `before`, which was read, is undefined. */
export const setOrInsert = (
  lookup: Lookup,
  before: unknown,
  set: Readonly<Record<string, string | number>>,
  when: readonly Condition[],
): Insert | Change =>
  before === undefined ? insertOf(lookup, set) : { kind: "change", ...lookup, set, when };

/** The attribute of a traced item that names the call that last changed it. */
export const requestIdAttribute = "request_id";

/** Makes the items of inserts and changes name the call that stores them. */
export const traceWrites = (writes: readonly Write[]): readonly Write[] =>
  writes.map((write) =>
    write.kind === "insert" || write.kind === "change" ? { ...write, traced: true } : write,
  );

/**
 * The writes of a call, with its id in the items that are traced. Without a call, a change removes the id of
 * an earlier one. Writes that are stamped already stay as they are.
 */
export const stampRequestId = (writes: readonly Write[], requestId: string | undefined): readonly Write[] =>
  writes.map((write) => {
    if (write.kind !== "count") return stampConditional(write, requestId);
    if (write.traced !== true) return write;
    return { ...write, traced: false, set: { ...write.set, ...nameOf(requestId) } };
  });

/** As `stampRequestId`. */
export function stampRecord(planned: PlannedWrites, requestId: string | undefined): PlannedWrites {
  const [record, ...others] = planned;
  if (record === undefined) return [];
  return [stampConditional(record, requestId), ...stampRequestId(others, requestId)];
}

function stampConditional(write: Conditional, requestId: string | undefined): Conditional {
  if (write.kind === "removal" || write.traced !== true) return write;
  const named = nameOf(requestId);
  if (write.kind === "insert") return { ...write, traced: false, item: { ...write.item, ...named } };
  const unnamed = requestId === undefined ? [requestIdAttribute] : [];
  const remove = [...(write.remove ?? []), ...unnamed];
  return { ...write, traced: false, set: { ...write.set, ...named }, remove };
}

const nameOf = (requestId: string | undefined) =>
  requestId === undefined ? {} : { [requestIdAttribute]: requestId };

export const keyOf = (write: Write): Key =>
  write.kind === "insert" ? { pk: write.item.pk, sk: write.item.sk } : write.key;

export const itemKeyOf = (write: Write): string => textOf(write.table, keyOf(write));

export const lookupOf = (write: Write): Lookup => ({ table: write.table, key: keyOf(write) });

/** A text that is equal for writes that merge: those of one item, and counts of one group. */
export const mergeKeyOf = (write: Write): string =>
  write.kind === "count" && write.group !== undefined ? joined(write.table, write.group) : itemKeyOf(write);

/**
 * Merges the writes on each item into one, at the position of the first. Counts become one count, as do those
 * of one group. Counts on an item that is inserted before them become part of the insert. A change that
 * builds on an earlier change becomes part of that change.
 * @returns undefined if other writes touch the same item
 */
export function mergeWrites(writes: readonly Write[]): readonly Write[] | undefined {
  const items = new Map<string, Write>();
  return mergeInto(items, writes) ? [...items.values()] : undefined;
}

/** Merges writes into `items`, by `mergeKeyOf`. @returns whether they merge; if not, `items` is incomplete */
export function mergeInto(items: Map<string, Write>, writes: readonly Write[]): boolean {
  for (const write of writes) {
    const key = mergeKeyOf(write);
    const earlier = items.get(key);
    const both = earlier === undefined ? write : mergePair(earlier, write);
    if (both === undefined) return false;
    items.set(key, both);
  }
  return true;
}

function mergePair(earlier: Write, later: Write): Write | undefined {
  if (later.kind === "count") {
    if (earlier.kind === "count") {
      const set = { ...earlier.set, ...later.set };
      const add = sum(earlier.add, later.add);
      return { ...earlier, add, ...(Object.keys(set).length > 0 && { set }) };
    }
    if (earlier.kind !== "insert") return undefined;
    const { item } = earlier;
    const counters = Object.keys(later.add).map((name) => [name, Number(item[name] ?? 0)]);
    return { ...earlier, item: { ...item, ...sum(Object.fromEntries(counters), later.add), ...later.set } };
  }
  return later.kind === "change" && earlier.kind === "change" && buildsOn(later, earlier)
    ? inSuccession(earlier, later)
    : undefined;
}

/**
 * Whether an earlier change makes a later one's conditions true, and neither sets what the other adds or
 * appends to. No change that appends builds on another.
 */
const buildsOn = (later: Change, earlier: Change): boolean =>
  later.append === undefined &&
  later.when.length > 0 &&
  later.when.every(
    (condition) => "equals" in condition && earlier.set?.[condition.attribute] === condition.equals,
  ) &&
  !setsSome(earlier, Object.keys(later.add ?? {})) &&
  !setsSome(later, Object.keys({ ...earlier.add, ...earlier.append }));

const setsSome = ({ set = {}, remove = [] }: Change, attributes: readonly string[]): boolean =>
  attributes.some((name) => name in set || remove.includes(name));

/** Two changes of one item as one. If both change an attribute, the later value wins. */
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

function sum(left: Readonly<Record<string, number>>, right: Readonly<Record<string, number>>) {
  const total: Record<string, number> = { ...left };
  for (const [name, value] of Object.entries(right)) total[name] = (total[name] ?? 0) + value;
  return total;
}
