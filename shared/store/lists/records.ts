/**
 * How a block list stores its records. `repository.ts` finds and changes those of accounts; `read-list.ts`
 * reads pages, in a module of its own because most functions read none.
 */
import * as z from "zod/mini";
import type { Key } from "../dynamodb/keys.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { type Condition, sagaAttribute, type Write } from "../dynamodb/writes.ts";
import { listAttributes, recordKey } from "./block-list.ts";
import { countInsert, countMove, countRemoval } from "./counters/counters.ts";
import type { BlockList } from "./definitions.ts";
import { type FacetKey, facetKeyAttribute, unfiltered } from "./facets.ts";

/** Leases the blocks: an account id, or the name of something else that has its own list. */
export type Owner = number | string;

/** Attributes of a further index: to set, and to remove from the item. */
export interface IndexAttributes {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** How a list identifies and filters its records. */
export interface RecordTraits<T> {
  readonly idOf: (record: T) => number;
  /** Identifies a record in a list with several records per id. */
  readonly suffixOf?: (record: T) => string;
  /** By default the account. */
  readonly ownerOf?: (record: T) => Owner;
  /** By default the list has no facets. */
  readonly facetKeyOf?: (record: T) => FacetKey;
}

/** A record as read, with what is needed to replace or delete it. */
export interface Stored<T> {
  readonly record: T;
  /**
   * The facet key that the item is stored with and counted by. It differs from that of the record if the
   * facets of the list have changed since then; see `repair/rebuild.ts`.
   */
  readonly facetKey: FacetKey;
  /** Whether a saga held the item when it was read. */
  readonly isInSaga: boolean;
}

/** A list and the facet keys of its records, without their type. */
export interface RecordList {
  readonly list: BlockList;
  /**
   * The facet key that the record in an item should have.
   * @throws if the item contains no record
   */
  readonly facetKeyOfItem: (item: RawItem) => FacetKey;
}

/** The records of one block list. `S` is what `read` returns. */
export interface Records<T, S extends Stored<T> = Stored<T>> extends RecordList {
  readonly keyOf: (record: T) => Key;
  readonly ownerOf: (record: T) => string;
  /** The facet key that a record should have. Its item may still have an older one. */
  readonly facetKeyOf: (record: T) => FacetKey;
  readonly parse: (item: RawItem) => T;
  /** @throws if the item is no record of the list */
  readonly read: (item: RawItem) => S;
  /** A record as `read` returns it once `insert` or `change` has stored it. */
  readonly written: (record: T) => Stored<T>;
  /**
   * Writes that store and count a record created at `createdAt` (ISO 8601). `more` are additional attributes
   * of the item.
   */
  readonly insert: (record: T, createdAt: string, more?: RawItem) => readonly Write[];
  /**
   * Writes that replace `before` with `after` and move its count. Stale if `condition` does not hold or the
   * stored facet key has changed.
   */
  readonly change: (
    before: Stored<T>,
    after: T,
    condition: Condition,
    indexed?: IndexAttributes,
  ) => readonly Write[];
  /**
   * Writes for an unchanged record: none, unless a saga held it when it was read. Then a condition fails with
   * `SagaInProgress`, and the caller decides again.
   */
  readonly keep: (unchanged: Stored<T>, condition: Condition) => readonly Write[];
  /**
   * Writes that delete a record and subtract its count. Stale if it is gone, its stored facet key has
   * changed, or a condition does not hold.
   */
  readonly remove: (removed: Stored<T>, ...conditions: readonly Condition[]) => readonly Write[];
}

/** The records of a list that `schema` describes. */
export const recordsIn = <T extends RawItem & { readonly account_id: number }>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  traits: RecordTraits<T>,
): Records<T> => unpackedRecordsIn(list, (item) => ({ record: z.parse(schema, item) }), traits);

/**
 * The records of a list that `unpack` reads from their items, along with other values.
 *
 * Counts change by the stored facet key, never by a recomputed one: the two differ after the facets of the
 * list have changed (`repair/rebuild.ts`).
 */
export function unpackedRecordsIn<
  T extends RawItem & { readonly account_id: number },
  U extends { readonly record: T },
>(
  list: BlockList,
  unpack: (item: RawItem) => U & { readonly record: T },
  {
    idOf,
    suffixOf,
    ownerOf: owner = (record) => record.account_id,
    facetKeyOf = () => unfiltered,
  }: RecordTraits<T>,
): Records<T, U & Stored<T>> {
  const { table } = list;
  const keyOf = (record: T): Key => recordKey(list, idOf(record), suffixOf?.(record));
  const ownerOf = (record: T): string => String(owner(record));
  const parse = (item: RawItem): T => unpack(item).record;
  const hasFacetKey = (facetKey: FacetKey): Condition => ({ attribute: facetKeyAttribute, equals: facetKey });
  return {
    list,
    keyOf,
    ownerOf,
    facetKeyOf,
    facetKeyOfItem: (item) => facetKeyOf(parse(item)),
    parse,
    read: (item) => {
      const { [facetKeyAttribute]: facetKey } = item;
      if (typeof facetKey !== "string") throw new Error(`an item of ${list.name} records has no facet key`);
      return { ...unpack(item), facetKey, isInSaga: item[sagaAttribute] !== undefined };
    },
    written: (record) => ({ record, facetKey: facetKeyOf(record), isInSaga: false }),
    insert: (record, createdAt, more = {}) => {
      const [id, facetKey] = [idOf(record), facetKeyOf(record)];
      const place = listAttributes(list, id, facetKey, createdAt, suffixOf?.(record));
      return [
        { kind: "insert", table, item: { ...record, ...place, ...more } },
        countInsert(list, ownerOf(record), id, facetKey),
      ];
    },
    change: ({ record, facetKey }, after, condition, { set, remove } = { set: {}, remove: [] }) => {
      const newFacetKey = facetKeyOf(after);
      const when = [condition, hasFacetKey(facetKey)];
      return [
        {
          kind: "change",
          table,
          key: keyOf(record),
          set: { ...after, [facetKeyAttribute]: newFacetKey, ...set },
          remove,
          when,
        },
        ...countMove(list, ownerOf(record), idOf(record), facetKey, newFacetKey),
      ];
    },
    keep: ({ record, facetKey, isInSaga }, condition) => {
      if (!isInSaga) return [];
      const when = [condition, hasFacetKey(facetKey)];
      const set = { [facetKeyAttribute]: facetKey };
      return [{ kind: "change", table, key: keyOf(record), set, when }];
    },
    remove: ({ record, facetKey }, ...conditions) => {
      const when = [hasFacetKey(facetKey), ...conditions];
      return [
        { kind: "removal", table, key: keyOf(record), when },
        countRemoval(list, ownerOf(record), idOf(record), facetKey),
      ];
    },
  };
}
