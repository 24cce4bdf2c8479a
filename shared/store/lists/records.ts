/** How the records of a block list are stored and paged through; `repository.ts` finds and changes those of accounts. */
import * as z from "zod/mini";
import type { Database } from "../database.ts";
import type { Key } from "../keys.ts";
import type { RawItem } from "../reads.ts";
import { stale, type Write } from "../writes.ts";
import { listAttributes, recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import { type Cell, unfiltered } from "./facets.ts";
import { mapPage, type Page, type PageRequest, readPage } from "./pages.ts";
import { tallyInsert, tallyRemoval } from "./tallies.ts";

/** Whose blocks they are: an account's, or those of what else has a list of its own. */
export type Owner = number | string;

/** Which page is wanted, and of which records; the newest come first unless it says otherwise. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/** What tells the records of a list apart, and what they are listed by. */
export interface Particulars<T> {
  readonly idOf: (record: T) => number;
  /** Tells records of one id apart, in a list that keeps several. */
  readonly suffixOf?: (record: T) => string;
  /** The account without it. */
  readonly ownerOf?: (record: T) => Owner;
  /** By the list's facets; without it the list is unfiltered. */
  readonly cellOf?: (record: T) => Cell;
}

/** The records of one block list. */
export interface Records<T> {
  readonly list: BlockList;
  readonly keyOf: (record: T) => Key;
  readonly ownerOf: (record: T) => string;
  readonly cellOf: (record: T) => Cell;
  readonly parse: (item: RawItem) => T;
  /** Stores a new record, made at `createdAt` (ISO 8601), and counts it; `more` are attributes of its item alone. */
  readonly insert: (record: T, createdAt: string, more?: RawItem) => readonly Write[];
  /** Takes a record away, and from its tally; stale where it is gone already. */
  readonly remove: (record: T) => readonly Write[];
  /** The owner's records of one page, and how many match. */
  readonly read: (db: Database, owner: Owner, request: ListRequest) => Promise<Page<T>>;
}

/** The records of `list`, which `schema` describes. */
export function recordsIn<T extends RawItem & { readonly account_id: number }>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  { idOf, suffixOf, ownerOf = (record) => record.account_id, cellOf = () => unfiltered }: Particulars<T>,
): Records<T> {
  const { table } = list;
  const keyOf = (record: T): Key => recordKey(list, idOf(record), suffixOf?.(record));
  const ownerText = (record: T): string => String(ownerOf(record));
  const parse = (item: RawItem): T => z.parse(schema, item);
  return {
    list,
    keyOf,
    ownerOf: ownerText,
    cellOf,
    parse,
    insert: (record, createdAt, more = {}) => {
      const [id, cell] = [idOf(record), cellOf(record)];
      const place = listAttributes(list, id, cell, createdAt, suffixOf?.(record));
      return [
        { kind: "insert", table, item: { v: 1, ...record, ...place, ...more }, refusal: stale },
        tallyInsert(list, ownerText(record), id, cell),
      ];
    },
    remove: (record) => [
      {
        kind: "removal",
        table,
        key: keyOf(record),
        when: [{ attribute: "pk", is: "present" }],
        refusal: stale,
      },
      tallyRemoval(list, ownerText(record), idOf(record), cellOf(record)),
    ],
    read: async (db, owner, request) =>
      mapPage(await readPage(db, list, String(owner), { direction: "desc", ...request }), parse),
  };
}
