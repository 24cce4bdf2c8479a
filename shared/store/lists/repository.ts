import * as z from "zod/mini";
import { invalid } from "../../common/problem.ts";
import { jsonBytes } from "../../common/strings.ts";
import { isUnchanged } from "../../common/versioned.ts";
import type { Database } from "../dynamodb/database.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../dynamodb/reads.ts";
import { traced, type Write } from "../dynamodb/writes.ts";
import { recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import {
  type IndexAttributes,
  type Owner,
  type RecordList,
  type Records,
  type RecordTraits,
  type Stored,
  unpackedRecordsIn,
} from "./records.ts";

/** Fields of every record in a repository. */
interface Versioned {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Finds records of a block list by id. Unknown ids are absent from the result. */
export interface Finder<R> {
  readonly find: (db: Database, owner: Owner, id: number) => Promise<R | undefined>;
  readonly findAll: (db: Database, owner: Owner, ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;
  /** The record of any owner, for the warehouse, which works for all accounts. */
  readonly findAny: (db: Database, id: number) => Promise<R | undefined>;
  readonly findAnyAll: (db: Database, ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;
}

/** Finds records of a list with one record per id. `read` converts an item. */
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

/** Finds records in order to change or delete them. */
export const storedFinderOf = <T, S extends Stored<T>>({ list, read, ownerOf }: Records<T, S>): Finder<S> =>
  finderOf(list, read, ({ record }) => ownerOf(record));

/** What a kind of record is called. */
export interface Titled {
  /** As in request fields, before `_id`: `replenishment`. */
  readonly name: string;
  /** As in a sentence: `manufacture order`. */
  readonly title: string;
}

/** Records of a block list that belong to accounts. They are replaced as a whole and have a version. */
export interface Repository<T, S extends Stored<T> = Stored<T>>
  extends Finder<T>,
    Titled,
    Pick<Records<T, S>, keyof RecordList | "parse" | "read" | "written" | "facetKeyOf" | "ownerOf"> {
  /** Finds records in order to change them. */
  readonly stored: Finder<S> & Titled;
  /** Writes that store and count a new record. */
  readonly insert: (record: T) => readonly Write[];
  /**
   * Writes that replace `before` with `after` and move its count. Stale if the record changed meanwhile. If
   * the two are equal, the same as `keep`.
   */
  readonly save: (before: Stored<T>, after: T) => readonly Write[];
  /** Writes that delete a record and subtract its count. Stale if the record changed meanwhile. */
  readonly remove: (removed: Stored<T>) => readonly Write[];
}

/** What differs between repositories. */
interface RepositoryOptions<T> extends RecordTraits<T> {
  /** By default the name of the list. */
  readonly title?: string;
  readonly indexed?: (record: T) => IndexAttributes;
}

/**
 * Maximum size of a record as JSON, which takes more bytes than DynamoDB does. An item holds 409,600 with its
 * keys.
 */
const maxRecordBytes = 405_000;

/** @throws Problem `invalid` if the record does not fit in an item */
function fitting<T extends object>(record: T, title: string): T {
  if (jsonBytes(record) <= maxRecordBytes) return record;
  throw invalid(`The ${title} is larger than ${maxRecordBytes} bytes; send fewer or shorter fields`);
}

/** A repository of the records that `schema` describes. */
export const repositoryOf = <T extends Versioned & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  own: RepositoryOptions<T>,
): Repository<T> => unpackedRepositoryOf(list, (item) => ({ record: z.parse(schema, item) }), own);

/** A repository of records that `unpack` reads from their items, along with other values. */
export function unpackedRepositoryOf<T extends Versioned & RawItem, U extends { readonly record: T }>(
  list: BlockList,
  unpack: (item: RawItem) => U & { readonly record: T },
  { title = list.name, indexed = () => ({ set: {}, remove: [] }), ...traits }: RepositoryOptions<T>,
): Repository<T, U & Stored<T>> {
  const records = unpackedRecordsIn<T, U>(list, unpack, traits);
  const hasVersion = ({ record }: Stored<T>) => ({ attribute: "version", equals: record.version }) as const;
  const titled: Titled = { name: list.name, title };
  return {
    ...records,
    ...titled,
    ...finderOf(list, records.parse, records.ownerOf),
    stored: { ...titled, ...storedFinderOf(records) },
    insert: (record) =>
      traced(records.insert(fitting(record, title), record.created_at, indexed(record).set)),
    save: (before, after) => {
      if (isUnchanged(before.record, after)) return records.keep(before, hasVersion(before));
      return traced(records.change(before, fitting(after, title), hasVersion(before), indexed(after)));
    },
    remove: (removed) => records.remove(removed, hasVersion(removed)),
  };
}
