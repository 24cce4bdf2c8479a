/**
 * How a block list stores, finds and changes its records. `read-list.ts` reads pages, in a module of its own
 * because most functions read none.
 *
 * Counts change by the stored facet key, never by a recomputed one: the two differ after the facets of the
 * list have changed (`list-repair/rebuild.ts`).
 */
import * as z from "zod/mini";
import { isUnchanged } from "../../common/deep-equal.ts";
import { parseId } from "../../common/fields.ts";
import { definedValues } from "../../common/maps.ts";
import { notFound } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import type { Key } from "../dynamodb/keys.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../dynamodb/reads.ts";
import {
  type Change,
  type Condition,
  type Count,
  type Insert,
  type PlannedWrites,
  type RecordWrites,
  type Removal,
  removalOf,
  sagaAttribute,
  type Write,
} from "../dynamodb/writes.ts";
import { Unreadable } from "../layouts/layouts.ts";
import { naming } from "../layouts/unreadable.ts";
import { type BlockList, listAttributes, recordKey } from "./block-list.ts";
import { countInsert, countMove, countRemoval } from "./counters/counters.ts";
import { type FacetKey, facetKeyAttribute, unfiltered } from "./facets.ts";

/** Leases the blocks: an account's id, or the name of something else with a list of its own. */
export type Owner = number | string;

/** A record as read, with what is needed to replace or delete it. */
export interface Stored<T> {
  readonly record: T;
  /**
   * The facet key with which the item is stored and counted. The record's differs if the facets of the list
   * have changed since (`list-repair/rebuild.ts`).
   */
  readonly facetKey: FacetKey;
  /** Whether a saga had locked the item when it was read. */
  readonly isInSaga: boolean;
}

interface Traits<T> {
  readonly idOf: (record: T) => number;
  /** Identifies a record in a list with several records per id. */
  readonly suffixOf?: (record: T) => string;
  /** By default the account. */
  readonly ownerOf?: (record: T) => Owner;
  /** By default the list has no facets. */
  readonly facetKeyOf?: (record: T) => FacetKey;
}

/** A list and the facet keys of its records, without their type. */
export interface RecordList {
  readonly list: BlockList;
  /** The facet key that the record in an item should have. @throws if the item contains no record */
  readonly facetKeyOfItem: (item: RawItem) => FacetKey;
}

export const recordOf =
  <T>(schema: z.ZodMiniType<T>) =>
  (item: RawItem): { readonly record: T } => ({ record: z.parse(schema, item) });

/** The records of one block list. `S` is what `read` returns. */
export interface Records<T, S extends Stored<T> = Stored<T>> extends RecordList {
  readonly keyOf: (record: T) => Key;
  readonly ownerOf: (record: T) => string;
  /** The facet key that a record should have. Its item may still have an older one. */
  readonly facetKeyOf: (record: T) => FacetKey;
  readonly parse: (item: RawItem) => T;
  /** @throws if the item is no record of the list */
  readonly read: (item: RawItem) => S;
  /**
   * Writes that store and count a record created at `createdAt` (ISO 8601), with `more` attributes. `packed`
   * are those that hold the record; its fields, by default.
   */
  readonly insert: (
    record: T,
    createdAt: string,
    more?: RawItem,
    packed?: RawItem,
  ) => readonly [Insert, Count];
  /** Writes that delete a record and its count. Stale if it is gone, has moved, or a condition fails. */
  readonly remove: (removed: Stored<T>, ...conditions: readonly Condition[]) => readonly [Removal, Count];
}

const hasFacetKey = (facetKey: FacetKey): Condition => ({ attribute: facetKeyAttribute, equals: facetKey });

/** The records of a list whose records have no versions. Records with versions have a repository. */
export function recordsIn<
  T extends RawItem & { readonly account_id: number },
  U extends { readonly record: T } = { readonly record: T },
>(
  list: BlockList,
  unpack: (item: RawItem) => U & { readonly record: T },
  {
    idOf,
    suffixOf,
    ownerOf: owner = (record) => record.account_id,
    facetKeyOf = () => unfiltered,
  }: Traits<T>,
): Records<T, U & Stored<T>> {
  const { table } = list;
  const keyOf = (record: T): Key => recordKey(list, idOf(record), suffixOf?.(record));
  const ownerOf = (record: T): string => String(owner(record));
  const parse = (item: RawItem): T => unpack(item).record;
  return {
    list,
    keyOf,
    ownerOf,
    facetKeyOf,
    facetKeyOfItem: (item) => facetKeyOf(parse(item)),
    parse,
    read: (item) => {
      const { [facetKeyAttribute]: facetKey } = item;
      if (typeof facetKey !== "string")
        throw new Unreadable(`an item of ${list.name} records has no facet key`);
      return { ...unpack(item), facetKey, isInSaga: item[sagaAttribute] !== undefined };
    },
    insert: (record, createdAt, more = {}, packed = record) => {
      const [id, facetKey] = [idOf(record), facetKeyOf(record)];
      const listed = listAttributes(list, id, facetKey, createdAt, suffixOf?.(record));
      return [
        { kind: "insert", table, item: { ...packed, ...listed, ...more } },
        countInsert(list, ownerOf(record), id, facetKey),
      ];
    },
    remove: ({ record, facetKey }, ...conditions) => [
      removalOf({ table, key: keyOf(record) }, hasFacetKey(facetKey), ...conditions),
      countRemoval(list, ownerOf(record), idOf(record), facetKey),
    ],
  };
}

/** Stands for any owner. The warehouse works for all accounts. */
export const anyOwner = Symbol("any owner");
type Owners = Owner | typeof anyOwner;

/**
 * Finds records by id, in order to show, change or delete them. Unknown ids, and those of other owners, are
 * absent from the result. @throws Unreadable, which names the record
 */
export interface Finder<S> {
  readonly find: (db: Database, owner: Owners, id: number) => Promise<S | undefined>;
  readonly findAll: (db: Database, owner: Owners, ids: readonly number[]) => Promise<ReadonlyMap<number, S>>;
}

export function finderOf<T, S extends Stored<T>>({ list, read, ownerOf }: Records<T, S>): Finder<S> {
  const lookup = (id: number): Lookup => ({ table: list.table, key: recordKey(list, id) });
  const readOf = (owner: Owners, id: number, item: RawItem | undefined): S | undefined => {
    if (item === undefined) return undefined;
    const found = naming(`${list.name} ${id}`, () => read(item));
    return owner === anyOwner || ownerOf(found.record) === String(owner) ? found : undefined;
  };
  return {
    find: async (db, owner, id) => readOf(owner, id, await getItem(db, lookup(id))),
    findAll: async (db, owner, ids) => {
      const find = await getItems(db, ids.map(lookup));
      return definedValues(ids, (id) => readOf(owner, id, find(lookup(id))));
    },
  };
}

interface RepositoryRecord {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

interface Titled {
  /** As in request fields, before `_id`: `replenishment`. */
  readonly name: string;
  /** As in a sentence: `manufacture order`. */
  readonly title: string;
}

/** Records of a block list that belong to accounts. They are replaced as a whole and have a version. */
export interface Repository<T, S extends Stored<T> = Stored<T>>
  extends Finder<S>,
    Titled,
    Omit<Records<T, S>, "insert" | "remove"> {
  /** A record as `read` returns it once `insert` or `save` has stored it. */
  readonly written: (record: T) => Stored<T>;
  /**
   * Writes that store and count a new record, with its entries. `path` is its place in the request. `packed`
   * are the attributes that hold it; its fields, by default.
   */
  readonly insert: (record: T, path?: string, packed?: RawItem) => RecordWrites;
  /** The writes of an insert that store what finds the record: its entries in lookup indexes. */
  readonly entries: (record: T, path?: string) => readonly Write[];
  /**
   * Writes that replace `before` with `after` and move its count. Stale if the record changed meanwhile.
   * There are none if the two are equal, unless a saga had locked the record when it was read. Then a
   * condition fails with `SagaInProgress`, and the caller decides again. `packed` are the attributes that
   * hold `after`, as in `insert`.
   */
  readonly save: (before: Stored<T>, after: T, packed?: RawItem) => PlannedWrites;
  /** Writes that delete a record and subtract its count. Stale if the record changed meanwhile. */
  readonly remove: (removed: Stored<T>) => RecordWrites;
}

/** Attributes of a further index: to set, and to remove from the item. */
export interface IndexAttributes {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

interface RepositoryOptions<T> extends Traits<T> {
  /** By default the name of the list. */
  readonly title?: string;
  readonly indexed?: (record: T) => IndexAttributes;
  /** By default nothing but its id finds a record. */
  readonly entries?: (record: T, path: string) => readonly Write[];
}

/** A repository of the records that `unpack` reads from their items, along with other values. */
export function repositoryOf<
  T extends RepositoryRecord & RawItem,
  U extends { readonly record: T } = { readonly record: T },
>(
  list: BlockList,
  unpack: (item: RawItem) => U & { readonly record: T },
  {
    title = list.name,
    indexed = () => ({ set: {}, remove: [] }),
    entries = () => [],
    ...traits
  }: RepositoryOptions<T>,
): Repository<T, U & Stored<T>> {
  const records = recordsIn<T, U>(list, unpack, traits);
  const { keyOf, ownerOf, facetKeyOf } = records;
  const hasVersion = ({ record }: Stored<T>) => ({ attribute: "version", equals: record.version }) as const;
  const change = (before: Stored<T>, set: RawItem, remove: readonly string[] = []): Change => {
    const when = [hasVersion(before), hasFacetKey(before.facetKey)];
    return { kind: "change", table: list.table, key: keyOf(before.record), set, remove, when };
  };
  return {
    ...records,
    ...finderOf(records),
    name: list.name,
    title,
    written: (record) => ({ record, facetKey: facetKeyOf(record), isInSaga: false }),
    insert: (record, path = "", packed = record) => {
      const [inserted, count] = records.insert(record, record.created_at, indexed(record).set, packed);
      return [{ ...inserted, traced: true }, count, ...entries(record, path)];
    },
    entries: (record, path = "") => entries(record, path),
    save: (before, after, packed = after) => {
      const { record, facetKey, isInSaga } = before;
      if (isUnchanged(record, after))
        return isInSaga ? [change(before, { [facetKeyAttribute]: facetKey })] : [];
      const newFacetKey = facetKeyOf(after);
      const { set, remove } = indexed(after);
      return [
        { ...change(before, { ...packed, [facetKeyAttribute]: newFacetKey, ...set }, remove), traced: true },
        ...countMove(list, ownerOf(record), traits.idOf(record), facetKey, newFacetKey),
      ];
    },
    remove: (removed) => records.remove(removed, hasVersion(removed)),
  };
}

/** The account's record with this id, as it is stored. @throws Problem `not_found` */
export async function getRecord<S extends Stored<unknown>>(
  { db, account_id }: { readonly db: Database; readonly account_id: number },
  repository: Pick<Finder<S>, "find"> & Titled,
  id: string,
): Promise<S> {
  const recordId = parseId(id);
  const found = recordId === undefined ? undefined : await repository.find(db, account_id, recordId);
  if (found !== undefined) return found;
  const { name, title } = repository;
  throw notFound(`There is no ${title} with ${name}_id ${id}`);
}
