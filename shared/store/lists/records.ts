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

/** A list, as far as its kind of record does not matter. */
export interface Listed {
  readonly list: BlockList;
  /** The cell that the record in an item belongs to, whatever cell the item has. @throws where it holds no record */
  readonly facetKeyOfItem: (item: RawItem) => FacetKey;
}

/** The records of one block list. */
export interface Records<T> extends Listed {
  readonly keyOf: (record: T) => Key;
  readonly ownerOf: (record: T) => string;
  /** The cell that a record belongs to. Its item may still have another, from a time of other facets. */
  readonly facetKeyOf: (record: T) => FacetKey;
  readonly parse: (item: RawItem) => T;
  /** Stores a new record, made at `createdAt` (ISO 8601), and counts it; `more` are attributes of its item alone. */
  readonly insert: (record: T, createdAt: string, more?: RawItem) => readonly Write[];
  /**
   * Stores `after` in place of `before`, and moves its count; stale where `condition` does not hold, or the item left the
   * cell that it was read in.
   * @throws where `before` was neither read nor stored by this list
   */
  readonly change: (before: T, after: T, condition: Condition, indexed?: Indexed) => readonly Write[];
  /**
   * What to store of a record that stays as it is: nothing. Where its item was held for steps as it was read, the steps
   * were not done; then a condition refuses it as `SagaInProgress`, so that it is decided anew once they are.
   */
  readonly keep: (record: T, condition: Condition) => readonly Write[];
  /**
   * Takes a record away, and from its tally; stale where it is gone already, or left the cell that it was read in.
   * @throws where it was neither read nor stored by this list
   */
  readonly remove: (record: T) => readonly Write[];
}

/**
 * The records of `list`, which `schema` describes.
 *
 * A tally is changed by the cell that an item has, never by one computed anew: the two differ once the facets of a list
 * were changed (see `rebuild.ts`). Records do not show the cell of their item, so it is noted beside them, for the
 * very objects that were read or are being stored. A copy of one knows no cell, and can't be changed or removed.
 */
export function recordsIn<T extends RawItem & { readonly account_id: number }>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  { idOf, suffixOf, ownerOf = (record) => record.account_id, facetKeyOf = () => unfiltered }: Particulars<T>,
): Records<T> {
  const { table } = list;
  const keyOf = (record: T): Key => recordKey(list, idOf(record), suffixOf?.(record));
  const ownerText = (record: T): string => String(ownerOf(record));
  const storedCells = new WeakMap<T, FacetKey>();
  const held = new WeakSet<T>();
  const storedCell = (record: T): FacetKey => {
    const cell = storedCells.get(record);
    if (cell === undefined) throw new Error(`a ${list.name} to be changed was not read from its list`);
    return cell;
  };
  const parse = (item: RawItem): T => {
    const record = z.parse(schema, item);
    const { cell } = item;
    if (typeof cell === "string") storedCells.set(record, cell);
    if (item[sagaAttribute] !== undefined) held.add(record);
    return record;
  };
  const stays = (cell: FacetKey): Condition => ({ attribute: "cell", equals: cell });
  return {
    list,
    keyOf,
    ownerOf: ownerText,
    facetKeyOf,
    facetKeyOfItem: (item) => facetKeyOf(z.parse(schema, item)),
    parse,
    insert: (record, createdAt, more = {}) => {
      const [id, cell] = [idOf(record), facetKeyOf(record)];
      storedCells.set(record, cell);
      const place = listAttributes(list, id, cell, createdAt, suffixOf?.(record));
      return [
        { kind: "insert", table, item: { ...record, ...place, ...more }, rejection: stale },
        countInsert(list, ownerText(record), id, cell),
      ];
    },
    change: (before, after, condition, { set, remove } = { set: {}, remove: [] }) => {
      const [from, to] = [storedCell(before), facetKeyOf(after)];
      storedCells.set(after, to);
      return [
        {
          kind: "change",
          table,
          key: keyOf(before),
          set: { ...after, cell: to, ...set },
          remove,
          when: [condition, stays(from)],
          rejection: stale,
        },
        ...countMove(list, ownerText(before), idOf(before), from, to),
      ];
    },
    keep: (record, condition) => {
      if (!held.has(record)) return [];
      const cell = storedCell(record);
      const when = [condition, stays(cell)];
      return [{ kind: "change", table, key: keyOf(record), set: { cell }, when, rejection: stale }];
    },
    remove: (record) => {
      const cell = storedCell(record);
      return [
        { kind: "removal", table, key: keyOf(record), when: [stays(cell)], rejection: stale },
        countRemoval(list, ownerText(record), idOf(record), cell),
      ];
    },
  };
}
