/**
 * What finds records by a text of theirs, exactly or by how it begins: an order by its number, an alias by its SKU.
 *
 * All entries of one kind and owner lie in one partition, in text order. So texts that begin alike are one range, and a
 * search costs as much as it finds, however much else there is. The table has no local index: with one, DynamoDB would
 * hold a partition to 10 GB, and never split it.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Database } from "./dynamodb/database.ts";
import { joined, type Key, padded } from "./dynamodb/keys.ts";
import { getItem, type Lookup, queryRange, type RawItem } from "./dynamodb/reads.ts";
import {
  type Insert,
  type Rejection,
  type Removal,
  sagaAttribute,
  stale,
  type Write,
} from "./dynamodb/writes.ts";
import type { TableName } from "./tables.ts";

const table = "directory" satisfies TableName;

/** A text that is looked for, or how it begins. */
export interface Wanted {
  readonly text: string;
  readonly begins: boolean;
}

/** A text of a record, and whose record it is. */
interface Named {
  readonly owner: string | number;
  readonly text: string;
  readonly id: number;
}

/** A text that a record may lack. */
type Naming = Omit<Named, "text"> & { readonly text: string | null };

/** Finds the ids of records of an owner, at most `limit`, in no order that matters. */
export type Find = (
  db: Database,
  owner: string | number,
  wanted: Wanted,
  limit: number,
) => Promise<readonly number[]>;

const entry = z.object({ id: primitive.int });

async function idsIn(db: Database, pk: string, begins: string, limit: number): Promise<readonly number[]> {
  const items = await queryRange(db, { table, pk, begins, limit });
  return items.filter(isShown).map((item) => z.parse(entry, item).id);
}

/** Whether an entry finds its record yet: not while the record is stored in steps, as readers don't see it till then. */
const isShown = (item: RawItem): boolean => item[sagaAttribute] === undefined;

const insertion = (key: Key, id: number): Pick<Insert, "kind" | "table" | "item"> => ({
  kind: "insert",
  table,
  item: { ...key, id },
});

/** An entry is its record's own as long as the record is as it was read. */
const removal = (key: Key): Removal => ({ kind: "removal", table, key, when: [], rejection: stale });

/** Texts that one record of an owner has at most. `kind` names the partitions. */
export function uniqueTexts(kind: string) {
  const lookup = (owner: string | number, text: string): Lookup => ({
    table,
    key: { pk: joined(kind, owner), sk: text },
  });
  const holderIn = (item: RawItem | undefined): number | undefined =>
    item === undefined ? undefined : z.parse(entry, item).id;
  const holder = async (db: Database, owner: string | number, text: string): Promise<number | undefined> => {
    const item = await getItem(db, lookup(owner, text));
    return item !== undefined && isShown(item) ? holderIn(item) : undefined;
  };
  const find: Find = async (db, owner, { text, begins }, limit) => {
    if (begins) return idsIn(db, joined(kind, owner), text, limit);
    const id = await holder(db, owner, text);
    return id === undefined ? [] : [id];
  };
  return {
    lookup,
    /** The id of the record that has the text of a `lookup`, or is being given it. */
    holderIn,
    /** The id of the owner's record with this text. */
    holder,
    find,
    insert: ({ owner, text, id }: Named, rejection: Rejection): Insert => ({
      ...insertion(lookup(owner, text).key, id),
      rejection,
    }),
    remove: ({ owner, text }: Omit<Named, "id">): Removal => removal(lookup(owner, text).key),
  };
}

/** Stands between a text and an id. No text that finds a record holds it (docs/decisions.md, Identifiers). */
const separator = "\u0000";

/** Texts that several records of an owner may have. `kind` names the partitions. */
export function sharedTexts(kind: string) {
  const key = ({ owner, text, id }: Named): Key => ({
    pk: joined(kind, owner),
    sk: `${text}${separator}${padded(id)}`,
  });
  const find: Find = (db, owner, { text, begins }, limit) =>
    idsIn(db, joined(kind, owner), begins ? text : text + separator, limit);
  return {
    find,
    /** The id of the owner's newest record with this text. */
    newest: async (db: Database, owner: string | number, text: string): Promise<number | undefined> => {
      const [pk, begins] = [joined(kind, owner), text + separator];
      const [item] = await queryRange(db, { table, pk, begins, direction: "desc", limit: 1 });
      return item === undefined ? undefined : z.parse(entry, item).id;
    },
    /** Has a record found by its text `after`, and no more by the one that it had `before`, if it is not new. */
    change: (before: Naming | undefined, after: Naming): readonly Write[] => {
      if (before?.text === after.text) return [];
      return [
        ...(isNamed(before) ? [removal(key(before))] : []),
        ...(isNamed(after) ? [{ ...insertion(key(after), after.id), own: true, rejection: stale }] : []),
      ];
    },
  };
}

const isNamed = (naming: Naming | undefined): naming is Named => typeof naming?.text === "string";
