/**
 * Lookup indexes find records by a text, exactly or by prefix: an order by its number, an alias by its SKU.
 *
 * All entries of one kind and owner share a partition, in text order. Texts with a common prefix are one
 * range, so a search costs as much as it finds. The table has no local index: with one, DynamoDB would limit
 * a partition to 10 GB and never split it.
 */
import * as z from "zod/mini";
import { mapConcurrently } from "../common/concurrency.ts";
import * as primitive from "../common/primitives.ts";
import type { Access } from "./access.ts";
import type { Database } from "./dynamodb/database.ts";
import { joined, padded } from "./dynamodb/keys.ts";
import { getItem, getItems, type Lookup, queryPages, queryRange, type RawItem } from "./dynamodb/reads.ts";
import {
  type Change,
  type Insert,
  insertOf,
  type Rejection,
  type Removal,
  removalOf,
  sagaAttribute,
  type Write,
} from "./dynamodb/writes.ts";
import type { TableName } from "./tables.ts";

const table = "directory" satisfies TableName;

/** The access that finding records by their lookups needs. */
export const lookupReadAccess: Access = { [table]: "read" };

/** The access that storing records with lookups needs. */
export const lookupAccess: Access = { [table]: "write" };

export interface Wanted {
  readonly text: string;
  readonly begins: boolean;
}

interface LookupEntry {
  readonly owner: string | number;
  readonly text: string;
  readonly id: number;
}

/** A record and its text; null if it has none. */
type Naming = Omit<LookupEntry, "text"> & { readonly text: string | null };

/**
 * Finds, for each wanted text, the ids of at most `limit` records of an owner, in any order. If there are
 * fewer, these are all of them.
 * @throws TooManyArchived if it passes over more than `maxPassedOver` entries
 */
export type Find = (
  db: Database,
  owner: string | number,
  wanted: readonly Wanted[],
  limit: number,
) => Promise<readonly (readonly number[])[]>;

const entry = z.object({ id: primitive.int });

/** Maximum entries of archived records that a search passes over: some 930 read units. */
export const maxPassedOver = 40_000;

/** Thrown if the searched texts are prefixes of too many texts of archived records. */
export class TooManyArchived extends Error {}

/** Returns a function that finds the ids of the first `limit` visible entries with a prefix. */
function searching(db: Database, pk: string, limit: number) {
  let passedOver = 0;
  return async (begins: string): Promise<readonly number[]> => {
    const ids: number[] = [];
    for await (const items of queryPages(db, { table, pk, begins }, limit)) {
      const visible = items.filter(isVisible);
      ids.push(...visible.map((item) => z.parse(entry, item).id));
      if (ids.length >= limit) break;
      passedOver += items.length - visible.length;
      if (passedOver > maxPassedOver) throw new TooManyArchived();
    }
    return ids.slice(0, limit);
  };
}

/** The attribute of an entry whose text stays taken although its record is archived: the time of archival. */
export const archivedAttribute = "archived_at";

/** Whether the entry's record is visible: not while a saga stores it, nor once it is archived. */
const isVisible = (item: RawItem): boolean =>
  item[sagaAttribute] === undefined && item[archivedAttribute] === undefined;

/** An index of texts that at most one record of an owner has. `kind` names the partitions. */
export function uniqueTexts(kind: string) {
  const lookup = (owner: string | number, text: string): Lookup => ({
    table,
    key: { pk: joined(kind, owner), sk: text },
  });
  const holderIn = (item: RawItem | undefined): number | undefined =>
    item === undefined ? undefined : z.parse(entry, item).id;
  const visibleHolderIn = (item: RawItem | undefined): number | undefined =>
    item !== undefined && isVisible(item) ? holderIn(item) : undefined;
  const find: Find = async (db, owner, wanted, limit) => {
    const whole = wanted.filter(({ begins }) => !begins).map(({ text }) => lookup(owner, text));
    const item = await getItems(db, whole);
    const idsIn = searching(db, joined(kind, owner), limit);
    return mapConcurrently(wanted, async ({ text, begins }) => {
      if (begins) return idsIn(text);
      const id = visibleHolderIn(item(lookup(owner, text)));
      return id === undefined ? [] : [id];
    });
  };
  return {
    kind,
    lookup,
    /** The id of the record that has the text of a `lookup`, or that a saga gives it to. */
    holderIn,
    /** The id of the owner's record with this text. */
    holder: async (db: Database, owner: string | number, text: string): Promise<number | undefined> =>
      visibleHolderIn(await getItem(db, lookup(owner, text))),
    find,
    insert: ({ owner, text, id }: LookupEntry, rejection: Rejection): Insert =>
      insertOf(lookup(owner, text), { id }, { rejection }),
    /** The text belongs to its record as long as the record is as it was read. */
    remove: ({ owner, text }: Omit<LookupEntry, "id">): Removal => removalOf(lookup(owner, text)),
    /** Keeps the text taken, but makes it find nothing from now on. */
    retire: ({ owner, text, id }: LookupEntry, at: string): Change => ({
      kind: "change",
      ...lookup(owner, text),
      set: { [archivedAttribute]: at },
      when: [{ attribute: "id", equals: id }],
    }),
  };
}

/** Separates the text from the id. No text in an index contains it (docs/decisions.md, Identifiers). */
const separator = "\u0000";

/** An index of texts that several records of an owner may have. `kind` names the partitions. */
export function sharedTexts(kind: string) {
  const lookup = ({ owner, text, id }: LookupEntry): Lookup => ({
    table,
    key: { pk: joined(kind, owner), sk: `${text}${separator}${padded(id)}` },
  });
  const find: Find = (db, owner, wanted, limit) => {
    const idsIn = searching(db, joined(kind, owner), limit);
    return mapConcurrently(wanted, ({ text, begins }) => idsIn(begins ? text : text + separator));
  };
  return {
    find,
    /** The id of the owner's newest record with this text. */
    newest: async (db: Database, owner: string | number, text: string): Promise<number | undefined> => {
      const [pk, begins] = [joined(kind, owner), text + separator];
      const [item] = await queryRange(db, { table, pk, begins, direction: "desc", limit: 1 });
      return item === undefined ? undefined : z.parse(entry, item).id;
    },
    /** Replaces a record's text `before`, undefined if the record is new, by its text `after`. */
    change: (before: Naming | undefined, after: Naming): readonly Write[] => {
      if (before?.text === after.text) return [];
      return [
        ...(isNamed(before) ? [removalOf(lookup(before))] : []),
        ...(isNamed(after) ? [insertOf(lookup(after), { id: after.id }, { neverFails: true })] : []),
      ];
    },
  };
}

const isNamed = (naming: Naming | undefined): naming is LookupEntry => typeof naming?.text === "string";
