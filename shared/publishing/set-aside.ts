/**
 * Changes that could not be published are set aside, so that the changes behind them in the stream go on
 * (docs/decisions.md, Events that are set aside). While a record has such changes, its later changes are set
 * aside behind them: the events of one record never change their order. An operator settles them with
 * `operator events` (`infra/operator/events/settle.ts`).
 *
 * One item names the record. The changes are in a partition of their own, in their order, with the record
 * before and after each. They do not expire, since nothing else could publish them.
 */
import * as z from "zod/mini";
import { isDeepEqual } from "../common/deep-equal.ts";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, type Key, storedKey, textOf } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup, parsed, queryRange, type RawItem } from "../store/dynamodb/reads.ts";
import { sizeOf, transact, unlessStale } from "../store/dynamodb/transact.ts";
import { type Change, exists, type Insert, insertOf, removalOf, still } from "../store/dynamodb/writes.ts";
import { reasonUnreadable } from "../store/layouts/unreadable.ts";
import { tableNames } from "../store/tables.ts";
import type { ItemChange } from "../streams/change.ts";

const table = "events";

const recordsPartition = "set-aside";

const recordItem = z.object({
  table: z.enum(tableNames),
  key: storedKey,
  /** The sequence of the change that was set aside last. */
  latest: primitive.text,
  /** How often one was: a change that is delivered again may be set aside again after it was settled. */
  added: z.optional(primitive.int),
  /** How often images of its changes were replaced. */
  rewritten: z.optional(primitive.int),
});

export type SetAsideRecord = z.output<typeof recordItem>;

export interface SetAsideChange {
  readonly change: ItemChange;
  /** Why it could not be published; null if it only follows another one. */
  readonly reason: string | null;
  /** Whether the record before and after it is known. A very large record does not fit beside its key. */
  readonly isWhole: boolean;
}

const recordLookup = (record: Lookup): Lookup => ({
  table,
  key: { pk: recordsPartition, sk: recordNameOf(record) },
});

const changesPartition = (record: Lookup): string => joined("set-aside-change", recordNameOf(record));

/** DynamoDB's sequence numbers have up to 40 digits, and rise with the changes of an item. */
const sequenceDigits = 40;

const changeKey = (change: ItemChange): Key => ({
  pk: changesPartition(change),
  sk: change.sequence.padStart(sequenceDigits, "0"),
});

/** The item with the record before the change, since both together may exceed the size of an item. */
const beforeKey = (change: ItemChange): Key => {
  const { pk, sk } = changeKey(change);
  return { pk, sk: joined(sk, "before") };
};

/** Why a change could not be published, without any value of the record. */
export const reasonOf = (error: unknown): string =>
  reasonUnreadable(error) ?? (error instanceof Error ? error.name : "unknown");

export const recordNameOf = (record: Lookup): string => textOf(record.table, record.key);

/** The records of these changes that have changes set aside. */
export async function recordsSetAside(
  db: Database,
  changes: readonly ItemChange[],
): Promise<ReadonlySet<string>> {
  const [any] = await queryRange(db, { table, pk: recordsPartition, limit: 1 });
  if (any === undefined) return new Set();
  const find = await getItems(db, changes.map(recordLookup));
  return new Set(changes.filter((change) => find(recordLookup(change)) !== undefined).map(recordNameOf));
}

/**
 * Sets a change aside. A change that was set aside before keeps its images, because an operator may have
 * erased a customer in them.
 * @returns whether it was not set aside before
 */
export async function setAside(db: Database, change: ItemChange, reason: string | null): Promise<boolean> {
  const set = { table: change.table, key: change.key, latest: change.sequence };
  const add = { added: 1 };
  const named: Change = { kind: "change", ...recordLookup(change), set, add, when: [], ignoresLocks: true };
  return unlessStale(() => transact(db, [named, ...imageWrites(change, reason)]));
}

/** DynamoDB's limit for an item. */
const maxItemBytes = 409_600;

function imageWrites(change: ItemChange, reason: string | null): readonly Insert[] {
  const { id, at, sequence, before, after } = change;
  const insert = (key: Key, fields: RawItem): Insert => insertOf({ table, key }, fields);
  const described = { id, at, sequence, reason };
  const images = [
    insert(changeKey(change), { ...described, is_whole: true, ...(after && { after }) }),
    ...(before === undefined ? [] : [insert(beforeKey(change), { before })]),
  ];
  const fits = images.every((image) => sizeOf([image]) <= maxItemBytes);
  return fits ? images : [insert(changeKey(change), { ...described, is_whole: false })];
}

export const setAsideRecords = async (db: Database): Promise<readonly SetAsideRecord[]> =>
  (await queryRange(db, { table, pk: recordsPartition })).map((item) => z.parse(recordItem, item));

export async function findSetAsideRecord(db: Database, record: Lookup): Promise<SetAsideRecord | undefined> {
  const lookup = recordLookup(record);
  return parsed(recordItem, (await getItems(db, [lookup]))(lookup));
}

const image = z.optional(primitive.record);

const changeItem = z.object({
  sk: primitive.text,
  id: primitive.text,
  at: primitive.time,
  sequence: primitive.text,
  reason: primitive.textOrNull,
  is_whole: z.boolean(),
  after: image,
});

const imagesItem = z.extend(storedKey, { before: image, after: image });

export async function setAsideChanges(db: Database, record: Lookup): Promise<readonly SetAsideChange[]> {
  const items = await queryRange(db, { table, pk: changesPartition(record) });
  const images = new Map(items.map((item) => [item["sk"], z.parse(imagesItem, item).before]));
  return items
    .filter(({ sk }) => !String(sk).endsWith("#before"))
    .map((item) => {
      const { sk, id, at, sequence, reason, is_whole: isWhole, after } = z.parse(changeItem, item);
      const before = images.get(joined(sk, "before"));
      const change = { id, table: record.table, key: record.key, sequence, at, before, after };
      return { change, reason, isWhole };
    });
}

/** Thrown if images of changes that are set aside were replaced since they were read. */
export class ImagesReplaced extends Error {}

/** Asserts that no image of the record's changes was replaced since `record` was read. */
export const imagesAsRead = ({ rewritten, ...record }: SetAsideRecord): Change => ({
  kind: "change",
  table,
  key: recordLookup(record).key,
  set: { table: record.table },
  when: [exists, still("rewritten", rewritten)],
  rejection: () => new ImagesReplaced(),
});

/**
 * Replaces the images of a record's changes that are set aside. Changes that are settled meanwhile are left
 * out. A command that has read the earlier images can't publish them any more.
 */
export async function rewriteSetAside(
  db: Database,
  record: Lookup,
  rewrite: (stored: RawItem) => RawItem,
): Promise<number> {
  const items = await queryRange(db, { table, pk: changesPartition(record) });
  let rewritten = 0;
  for (const item of items) {
    const { pk, sk, before, after } = z.parse(imagesItem, item);
    const set = { ...(before && { before: rewrite(before) }), ...(after && { after: rewrite(after) }) };
    if (isDeepEqual(set, { ...(before && { before }), ...(after && { after }) })) continue;
    const replaced = { kind: "change", table, when: [exists] } as const;
    const isThere = await unlessStale(() =>
      transact(db, [
        { ...replaced, key: { pk, sk }, set },
        { ...replaced, ...recordLookup(record), add: { rewritten: 1 } },
      ]),
    );
    if (isThere) rewritten += 1;
  }
  return rewritten;
}

export async function removeSetAside(db: Database, changes: readonly ItemChange[]): Promise<void> {
  for (const change of changes)
    await transact(
      db,
      [beforeKey(change), changeKey(change)].map((key) => removalOf({ table, key })),
    );
}

/** Deletes a record without changes. Stale if another change was set aside since `record` was read. */
export const removeSetAsideRecord = (db: Database, record: SetAsideRecord): Promise<void> =>
  transact(db, [
    removalOf(
      recordLookup(record),
      { attribute: "latest", equals: record.latest },
      still("added", record.added),
    ),
  ]);
