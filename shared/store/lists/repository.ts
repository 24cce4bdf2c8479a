import * as z from "zod/mini";
import { invalid } from "../../common/problem.ts";
import { jsonBytes } from "../../common/strings.ts";
import { isUnchanged } from "../../common/versioned.ts";
import type { Database } from "../dynamodb/database.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../dynamodb/reads.ts";
import type { Write } from "../dynamodb/writes.ts";
import { recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import {
  type Indexed,
  type Listed,
  type Owner,
  type Particulars,
  type Records,
  type Stored,
  unpackedRecordsIn,
} from "./records.ts";

/** What every record of a repository has. */
interface Versioned {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Finds records of a block list by id; an id that names none is absent from the result. */
export interface Finder<R> {
  /** The owner's record with this id. */
  readonly find: (db: Database, owner: Owner, id: number) => Promise<R | undefined>;
  /** The owner's records. */
  readonly findAll: (db: Database, owner: Owner, ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;
  /** The record of any owner: for the warehouse, which works for all accounts. */
  readonly findAny: (db: Database, id: number) => Promise<R | undefined>;
  /** Records of any owner. */
  readonly findAnyAll: (db: Database, ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;
}

/** Finds the records of a list that has one for each id. `read` makes of an item what is found. */
export function finderOf<R>(
  list: BlockList,
  read: (item: RawItem) => R,
  ownerOf: (found: R) => string,
): Finder<R> {
  const lookup = (id: number): Lookup => ({ table: list.table, key: recordKey(list, id) });
  const findAny = async (db: Database, id: number): Promise<R | undefined> => {
    const item = await getItem(db, lookup(id));
    return item === undefined ? undefined : read(item);
  };
  const findAnyAll = async (db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, R>> => {
    const find = await getItems(db, ids.map(lookup));
    return new Map(
      ids.flatMap((id) => {
        const item = find(lookup(id));
        return item === undefined ? [] : [[id, read(item)] as const];
      }),
    );
  };
  return {
    find: async (db, owner, id) => {
      const found = await findAny(db, id);
      return found !== undefined && ownerOf(found) === String(owner) ? found : undefined;
    },
    findAll: async (db, owner, ids) => {
      const found = await findAnyAll(db, ids);
      return new Map([...found].filter(([, one]) => ownerOf(one) === String(owner)));
    },
    findAny,
    findAnyAll,
  };
}

/** Finds records that are to be changed or deleted. */
export const storedFinderOf = <T, S extends Stored<T>>({ list, read, ownerOf }: Records<T, S>): Finder<S> =>
  finderOf(list, read, ({ record }) => ownerOf(record));

/** What a kind of record is called. */
export interface Titled {
  /** As in fields of requests, whose ids have `_id` behind it: `replenishment`. */
  readonly name: string;
  /** In a sentence: `manufacture order`. */
  readonly title: string;
}

/** Records of a block list that belong to accounts, and that are changed as a whole, version by version. */
export interface Repository<T, S extends Stored<T> = Stored<T>>
  extends Finder<T>,
    Titled,
    Pick<Records<T, S>, keyof Listed | "parse" | "read" | "written" | "facetKeyOf" | "ownerOf"> {
  /** Finds records that are to be changed. */
  readonly stored: Finder<S> & Titled;
  /** Stores a new record, and counts it. */
  readonly insert: (record: T) => readonly Write[];
  /** Stores `after` in place of `before`, and counts it. Stale if the record changed meanwhile; as `keep` if none did. */
  readonly save: (before: Stored<T>, after: T) => readonly Write[];
}

/** What of a repository is its own. */
interface Own<T> extends Particulars<T> {
  /** The list's name without one. */
  readonly title?: string;
  readonly indexed?: (record: T) => Indexed;
}

/** Most bytes of a record as JSON, which takes more than DynamoDB does. An item holds 409,600, with its keys. */
const largestRecord = 405_000;

/** @throws Problem `invalid` where the record does not fit an item */
function fitting<T extends object>(record: T, title: string): T {
  if (jsonBytes(record) <= largestRecord) return record;
  throw invalid(`A ${title} can't take more than ${largestRecord} bytes; name less in it`);
}

/** The records of `list`, which `schema` describes. */
export const repositoryOf = <T extends Versioned & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  own: Own<T>,
): Repository<T> => unpackedRepositoryOf(list, (item) => ({ record: z.parse(schema, item) }), own);

/** The records of `list`, which `unpack` reads out of their items, with what else it finds there. */
export function unpackedRepositoryOf<T extends Versioned & RawItem, U extends { readonly record: T }>(
  list: BlockList,
  unpack: (item: RawItem) => U & { readonly record: T },
  { title = list.name, indexed = () => ({ set: {}, remove: [] }), ...particulars }: Own<T>,
): Repository<T, U & Stored<T>> {
  const records = unpackedRecordsIn<T, U>(list, unpack, particulars);
  const titled: Titled = { name: list.name, title };
  return {
    ...titled,
    ...finderOf(list, records.parse, records.ownerOf),
    stored: { ...titled, ...storedFinderOf(records) },
    list,
    facetKeyOfItem: records.facetKeyOfItem,
    facetKeyOf: records.facetKeyOf,
    ownerOf: records.ownerOf,
    parse: records.parse,
    read: records.read,
    written: records.written,
    insert: (record) => records.insert(fitting(record, title), record.created_at, indexed(record).set),
    save: (before, after) => {
      const condition = { attribute: "version", equals: before.record.version } as const;
      if (isUnchanged(before.record, after)) return records.keep(before, condition);
      return records.change(before, fitting(after, title), condition, indexed(after));
    },
  };
}
