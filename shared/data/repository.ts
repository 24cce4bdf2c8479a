import * as z from "zod/mini";
import { counted, listed, recordKey } from "./block-list.ts";
import type { Database } from "./database.ts";
import type { BlockList } from "./lists.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { getItem, getItems, type Lookup, type RawItem } from "./reads.ts";
import { type Change, stale, type Write } from "./writes.ts";

/** What every record of a repository has. */
interface Stored {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Records of a block list that are found by their id alone and listed unfiltered; each belongs to an account. */
export interface Repository<T> {
  /** What a record is called: `replenishment`. */
  readonly name: string;
  /** The account's record with this id. */
  readonly find: (db: Database, accountId: number, id: number) => Promise<T | undefined>;
  /** The account's records by id; an id that names none is absent from the answer. */
  readonly findAll: (
    db: Database,
    accountId: number,
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, T>>;
  /** Stores a new record. */
  readonly insert: (record: T) => readonly Write[];
  /** Stores `after` in place of `before`; stale where the record changed meanwhile. */
  readonly save: (before: T, after: T) => Change;
  /** The account's records of one page, newest first, and how many it has. */
  readonly read: (
    db: Database,
    accountId: number,
    page: Pick<PageRequest, "page" | "perPage">,
  ) => Promise<{ readonly records: readonly T[]; readonly total: number }>;
}

/** Records are listed unfiltered. */
const cell = "|";

/** The records of `list`, which `schema` describes and `idOf` tells apart. */
export function repositoryOf<T extends Stored & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  idOf: (record: T) => number,
): Repository<T> {
  const { table, name } = list;
  const lookup = (id: number): Lookup => ({ table, key: recordKey(list, id) });
  const ofAccount = (accountId: number, item: RawItem | undefined): T | undefined => {
    const found = item === undefined ? undefined : z.parse(schema, item);
    return found?.account_id === accountId ? found : undefined;
  };
  return {
    name,
    find: async (db, accountId, id) => ofAccount(accountId, await getItem(db, lookup(id))),
    findAll: async (db, accountId, ids) => {
      const find = await getItems(db, ids.map(lookup));
      const found = ids.map((id) => [id, ofAccount(accountId, find(lookup(id)))] as const);
      return new Map(found.flatMap(([id, record]) => (record === undefined ? [] : [[id, record] as const])));
    },
    insert: (record) => {
      const place = listed(list, idOf(record), cell, record.created_at);
      return [
        { kind: "insert", table, item: { v: 1, ...record, ...place }, refusal: stale },
        counted(list, String(record.account_id), idOf(record), cell),
      ];
    },
    save: (before, after) => ({
      kind: "change",
      table,
      key: lookup(idOf(before)).key,
      set: after,
      when: [{ attribute: "version", equals: before.version }],
      refusal: stale,
    }),
    read: async (db, accountId, page) => {
      const { items, total } = await readPage(db, list, String(accountId), { ...page, direction: "desc" });
      return { records: items.map((item) => z.parse(schema, item)), total };
    },
  };
}
