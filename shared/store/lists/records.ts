/**
 * How the records of a block list are stored; `repository.ts` finds and changes those of accounts, `read-list.ts` reads pages.
 * Reading pages is apart, as most functions read none.
 */
import * as z from "zod/mini";
import type { Key } from "../dynamodb/keys.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { type Condition, sagaAttribute, stale, type Write } from "../dynamodb/writes.ts";
import { listAttributes, recordKey } from "./block-list.ts";
import { countInsert, countMove, countRemoval } from "./counters/counters.ts";
import type { BlockList } from "./definitions.ts";
import { type FacetKey, unfiltered } from "./facets.ts";

/** Whose blocks they are: an account's, or those of what else has a list of its own. */
export type Owner = number | string;

/** Attributes that put an item into another index, and those that it must not have there. */
export interface Indexed {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

/** What tells the records of a list apart, and what they are listed by. */
export interface Particulars<T> {
  readonly idOf: (record: T) => number;
  /** Tells records of one id apart, in a list that keeps several. */
  readonly suffixOf?: (record: T) => string;
  /** The account without it. */
  readonly ownerOf?: (record: T) => Owner;
  /** By the list's facets; without it the list is unfiltered. */
  readonly facetKeyOf?: (record: T) => FacetKey;
}

/** A record as it was read, with what is needed to store another in its place. */
export interface Stored<T> {
  readonly record: T;
  /**
   * The facet key that its item has and is counted by. It differs from that of the record if the list's facets have
   * changed since the item was written; see `rebuild.ts`.
   */
  readonly facetKey: FacetKey;
  /** Whether its item was held by a saga when it was read. */
  readonly isHeld: boolean;
}

/** A list, as far as its kind of record does not matter. */
export interface Listed {
  readonly list: BlockList;
  /** The cell that the record in an item belongs to, whatever cell the item has. @throws where it holds no record */
  readonly facetKeyOfItem: (item: RawItem) => FacetKey;
}

/** The records of one block list. `S` is what is read of an item. */
export interface Records<T, S extends Stored<T> = Stored<T>> extends Listed {
  readonly keyOf: (record: T) => Key;
  readonly ownerOf: (record: T) => string;
  /** The cell that a record belongs to. Its item may still have another, from a time of other facets. */
  readonly facetKeyOf: (record: T) => FacetKey;
  readonly parse: (item: RawItem) => T;
  /** @throws if the item is no record of the list */
  readonly read: (item: RawItem) => S;
  /** A record as it is once `insert` or `change` has stored it. */
  readonly written: (record: T) => Stored<T>;
  /** Stores a new record, made at `createdAt` (ISO 8601), and counts it; `more` are attributes of its item alone. */
  readonly insert: (record: T, createdAt: string, more?: RawItem) => readonly Write[];
  /**
   * Stores `after` in place of `before`, and moves its count. Stale if `condition` does not hold or the item has another
   * facet key by now.
   */
  readonly change: (before: Stored<T>, after: T, condition: Condition, indexed?: Indexed) => readonly Write[];
  /**
   * What to store of a record that stays as it is: nothing. If a saga held its item, a condition rejects the call as
   * `Underway`, so that it is decided again once the saga is complete.
   */
  readonly keep: (unchanged: Stored<T>, condition: Condition) => readonly Write[];
  /** Deletes a record, and counts it no more. Stale if it is gone, or its item has another facet key by now. */
  readonly remove: (removed: Stored<T>) => readonly Write[];
}

/** The records of `list`, which `schema` describes. */
export const recordsIn = <T extends RawItem & { readonly account_id: number }>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  particulars: Particulars<T>,
): Records<T> => unpackedRecordsIn(list, (item) => ({ record: z.parse(schema, item) }), particulars);

/**
 * The records of `list`, which `unpack` reads out of their items, with what else it finds there.
 *
 * Counters are changed by the facet key that an item has, never by one computed again: the two differ once the facets of
 * a list were changed (see `rebuild.ts`).
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
  }: Particulars<T>,
): Records<T, U & Stored<T>> {
  const { table } = list;
  const keyOf = (record: T): Key => recordKey(list, idOf(record), suffixOf?.(record));
  const ownerOf = (record: T): string => String(owner(record));
  const parse = (item: RawItem): T => unpack(item).record;
  const still = (facetKey: FacetKey): Condition => ({ attribute: "cell", equals: facetKey });
  return {
    list,
    keyOf,
    ownerOf,
    facetKeyOf,
    facetKeyOfItem: (item) => facetKeyOf(parse(item)),
    parse,
    read: (item) => {
      const { cell: facetKey } = item;
      if (typeof facetKey !== "string") throw new Error(`an item of ${list.name} records has no facet key`);
      return { ...unpack(item), facetKey, isHeld: item[sagaAttribute] !== undefined };
    },
    written: (record) => ({ record, facetKey: facetKeyOf(record), isHeld: false }),
    insert: (record, createdAt, more = {}) => {
      const [id, facetKey] = [idOf(record), facetKeyOf(record)];
      const place = listAttributes(list, id, facetKey, createdAt, suffixOf?.(record));
      return [
        { kind: "insert", table, item: { ...record, ...place, ...more }, rejection: stale },
        countInsert(list, ownerOf(record), id, facetKey),
      ];
    },
    change: ({ record, facetKey }, after, condition, { set, remove } = { set: {}, remove: [] }) => {
      const cell = facetKeyOf(after);
      const when = [condition, still(facetKey)];
      return [
        {
          kind: "change",
          table,
          key: keyOf(record),
          set: { ...after, cell, ...set },
          remove,
          when,
          rejection: stale,
        },
        ...countMove(list, ownerOf(record), idOf(record), facetKey, cell),
      ];
    },
    keep: ({ record, facetKey: cell, isHeld }, condition) => {
      if (!isHeld) return [];
      const when = [condition, still(cell)];
      return [{ kind: "change", table, key: keyOf(record), set: { cell }, when, rejection: stale }];
    },
    remove: ({ record, facetKey }) => [
      { kind: "removal", table, key: keyOf(record), when: [still(facetKey)], rejection: stale },
      countRemoval(list, ownerOf(record), idOf(record), facetKey),
    ],
  };
}
