import type * as z from "zod/mini";
import { invalid } from "../../common/problem.ts";
import { jsonBytes } from "../../common/strings.ts";
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
  recordsIn,
} from "./records.ts";

/** What every record of a repository has. */
interface Versioned {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Finds records of a block list, each of which belongs to an owner. */
export interface Finder<T> {
  /** The owner's record with this id. */
  readonly find: (db: Database, owner: Owner, id: number) => Promise<T | undefined>;
  /** The owner's records by id; an id that names none is absent from the answer. */
  readonly findAll: (db: Database, owner: Owner, ids: readonly number[]) => Promise<ReadonlyMap<number, T>>;
  /** The record with this id, whosever it is: for the warehouse, which works for all accounts. */
  readonly findAny: (db: Database, id: number) => Promise<T | undefined>;
  /** Records by id, whosever they are, as `findAny`; an id that names none is absent from the answer. */
  readonly findAnyAll: (db: Database, ids: readonly number[]) => Promise<ReadonlyMap<number, T>>;
}

/** Finds those of `records` that are the only ones of their id. */
export function finderOf<T>({ list, parse, ownerOf }: Records<T>): Finder<T> {
  const lookup = (id: number): Lookup => ({ table: list.table, key: recordKey(list, id) });
  const findAny = async (db: Database, id: number): Promise<T | undefined> => {
    const item = await getItem(db, lookup(id));
    return item === undefined ? undefined : parse(item);
  };
  const findAnyAll = async (db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, T>> => {
    const find = await getItems(db, ids.map(lookup));
    return new Map(
      ids.flatMap((id) => {
        const item = find(lookup(id));
        return item === undefined ? [] : [[id, parse(item)] as const];
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
      return new Map([...found].filter(([, record]) => ownerOf(record) === String(owner)));
    },
    findAny,
    findAnyAll,
  };
}

/** Records of a block list that belong to accounts, and that are changed as a whole, version by version. */
export interface Repository<T>
  extends Finder<T>,
    Pick<Records<T>, keyof Listed | "parse" | "facetKeyOf" | "ownerOf"> {
  /** What a record is called, and its id with `_id`: `replenishment`. */
  readonly name: string;
  /** What a record is called in a sentence: `manufacture order`. */
  readonly title: string;
  /** Stores a new record, and counts it. */
  readonly insert: (record: T) => readonly Write[];
  /**
   * Stores `after` in place of `before`, with its tally; stale where the record changed meanwhile. Where `after` is
   * `before` itself, nothing is to be stored; see `keep`.
   * @throws where `before` was neither read nor stored by this repository
   */
  readonly save: (before: T, after: T) => readonly Write[];
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
export function repositoryOf<T extends Versioned & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  { title = list.name, indexed = () => ({ set: {}, remove: [] }), ...particulars }: Own<T>,
): Repository<T> {
  const records = recordsIn(list, schema, particulars);
  return {
    ...finderOf(records),
    list,
    facetKeyOfItem: records.facetKeyOfItem,
    facetKeyOf: records.facetKeyOf,
    ownerOf: records.ownerOf,
    parse: records.parse,
    name: list.name,
    title,
    insert: (record) => records.insert(fitting(record, title), record.created_at, indexed(record).set),
    save: (before, after) => {
      const condition = { attribute: "version", equals: before.version } as const;
      if (after === before) return records.keep(before, condition);
      return records.change(before, fitting(after, title), condition, indexed(after));
    },
  };
}
