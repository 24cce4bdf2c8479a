import * as z from "zod/mini";
import type { Database } from "../database.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../reads.ts";
import { type Change, stale, type Write } from "../writes.ts";
import { listAttributes, recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { tallyInsert } from "./tallies.ts";

/** What every record of a repository has. */
interface Stored {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Which page is wanted, and of which records; the newest come first unless it says otherwise. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/** Records of a block list, each of which belongs to an account. */
export interface Repository<T> {
  /** What a record is called, and its id with `_id`: `replenishment`. */
  readonly name: string;
  /** What a record is called in a sentence: `manufacture order`. */
  readonly title: string;
  /** The account's record with this id. */
  readonly find: (db: Database, accountId: number, id: number) => Promise<T | undefined>;
  /** The account's records by id; an id that names none is absent from the answer. */
  readonly findAll: (
    db: Database,
    accountId: number,
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, T>>;
  /** Stores a new record, and counts it. */
  readonly insert: (record: T) => readonly Write[];
  /** Stores `after` in place of `before`; stale where the record changed meanwhile. */
  readonly save: (before: T, after: T) => Change;
  /** The account's records of one page, and how many match. */
  readonly read: (
    db: Database,
    accountId: number,
    request: ListRequest,
  ) => Promise<{ readonly records: readonly T[]; readonly total: number }>;
}

/** The cell of every record of a list that is not filtered. */
const unfiltered = "|";

interface Particulars<T> {
  /** What the list is filtered by, if by anything; a change of it goes with `tallyMove`. */
  readonly cellOf?: (record: T) => Cell;
  /** Its name without one. */
  readonly title?: string;
}

const inserted = (list: BlockList, record: Stored, id: number, cell: Cell): readonly Write[] => [
  {
    kind: "insert",
    table: list.table,
    item: { v: 1, ...record, ...listAttributes(list, id, cell, record.created_at) },
    refusal: stale,
  },
  tallyInsert(list, String(record.account_id), id, cell),
];

/** The records of `list`, which `schema` describes and `idOf` tells apart. */
export function repositoryOf<T extends Stored & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  idOf: (record: T) => number,
  { cellOf = () => unfiltered, title = list.name }: Particulars<T> = {},
): Repository<T> {
  const { table, name } = list;
  const lookup = (id: number): Lookup => ({ table, key: recordKey(list, id) });
  const ofAccount = (accountId: number, item: RawItem | undefined): T | undefined => {
    const found = item === undefined ? undefined : z.parse(schema, item);
    return found?.account_id === accountId ? found : undefined;
  };
  return {
    name,
    title,
    find: async (db, accountId, id) => ofAccount(accountId, await getItem(db, lookup(id))),
    findAll: async (db, accountId, ids) => {
      const find = await getItems(db, ids.map(lookup));
      const found = ids.flatMap((id) => ofAccount(accountId, find(lookup(id))) ?? []);
      return new Map(found.map((record) => [idOf(record), record]));
    },
    insert: (record) => inserted(list, record, idOf(record), cellOf(record)),
    save: (before, after) => ({
      kind: "change",
      table,
      key: lookup(idOf(before)).key,
      set: { ...after, cell: cellOf(after) },
      when: [{ attribute: "version", equals: before.version }],
      refusal: stale,
    }),
    read: async (db, accountId, request) => {
      const { items, total } = await readPage(db, list, String(accountId), { direction: "desc", ...request });
      return { records: items.map((item) => z.parse(schema, item)), total };
    },
  };
}
