import type * as z from "zod/mini";
import type { Database } from "../database.ts";
import { getItem, getItems, type Lookup, type RawItem } from "../reads.ts";
import { stale, type Write } from "../writes.ts";
import { recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import { type Owner, type Particulars, type Records, recordsIn } from "./records.ts";
import { tallyMove } from "./tallies.ts";

/** What every record of a repository has. */
interface Versioned {
  readonly account_id: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly version: number;
}

/** Attributes that put an item into another index, and those that keep it out. */
interface Indexed {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
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
export interface Repository<T> extends Finder<T>, Pick<Records<T>, "list" | "read"> {
  /** What a record is called, and its id with `_id`: `replenishment`. */
  readonly name: string;
  /** What a record is called in a sentence: `manufacture order`. */
  readonly title: string;
  /** Stores a new record, and counts it. */
  readonly insert: (record: T) => readonly Write[];
  /** Stores `after` in place of `before`, with its tally; stale where the record changed meanwhile. */
  readonly save: (before: T, after: T) => readonly Write[];
}

/** What of a repository is its own. */
interface Own<T> extends Particulars<T> {
  /** The list's name without one. */
  readonly title?: string;
  readonly indexed?: (record: T) => Indexed;
}

/** The records of `list`, which `schema` describes. */
export function repositoryOf<T extends Versioned & RawItem>(
  list: BlockList,
  schema: z.ZodMiniType<T>,
  { title = list.name, indexed = () => ({ set: {}, remove: [] }), ...particulars }: Own<T>,
): Repository<T> {
  const records = recordsIn(list, schema, particulars);
  const { keyOf, ownerOf, cellOf, read } = records;
  return {
    ...finderOf(records),
    list,
    name: list.name,
    title,
    read,
    insert: (record) => records.insert(record, record.created_at, indexed(record).set),
    save: (before, after) => {
      const { set, remove } = indexed(after);
      return [
        {
          kind: "change",
          table: list.table,
          key: keyOf(before),
          set: { ...after, cell: cellOf(after), ...set },
          remove,
          when: [{ attribute: "version", equals: before.version }],
          refusal: stale,
        },
        ...tallyMove(list, ownerOf(before), particulars.idOf(before), cellOf(before), cellOf(after)),
      ];
    },
  };
}
