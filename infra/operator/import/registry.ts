/** Imports entries of a registry. Rows are stored in order, so a row may depend on an earlier one. */

import * as z from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { columnsOf, type Rejection, type Row } from "../../import/columns.ts";
import { differences, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

/** What decides whether entries can be stored, each by those that are stored or were accepted before it. */
export interface Judge<T> {
  /** Why an entry conflicts with the accepted ones; undefined if it does not. */
  readonly conflictOf: (entry: T) => string | undefined;
  readonly accept: (entry: T) => void;
}

/** Entries that records refer to, each of which a key identifies. */
export interface Registry<T> {
  /** The registry: `stores`. */
  readonly name: string;
  readonly schema: z.ZodMiniObject<Readonly<Record<keyof T & string, z.ZodMiniType>>> & z.ZodMiniType<T>;
  readonly key: (entry: T) => string;
  /** How many entries one transaction stores; 1 if absent. */
  readonly together?: number;
  /** @param accountId 0 for a registry of the whole warehouse, here and below */
  readonly read: (db: Database, accountId: number) => Promise<readonly T[]>;
  /** Stores entries of different keys: at most `together`. */
  readonly put: (db: Database, accountId: number, entries: readonly T[]) => Promise<void>;
  /** All entries can be stored if absent. */
  readonly judge?: (db: Database) => Promise<Judge<T>>;
}

/** What says why an entry conflicts with stored ones; undefined if it does not, and is accepted. */
export async function judging<T>(
  { judge }: Registry<T>,
  db: Database,
  stored: readonly T[],
): Promise<Judge<T>["conflictOf"]> {
  if (judge === undefined) return () => undefined;
  const { conflictOf, accept } = await judge(db);
  stored.forEach(accept);
  return (entry) => {
    const conflict = conflictOf(entry);
    if (conflict === undefined) accept(entry);
    return conflict;
  };
}

/** A row that is to be stored. */
interface Accepted<T> {
  readonly row: number;
  readonly entry: T;
  readonly isNew: boolean;
}

/** Imports entries. Those that exist with other values are overwritten with `update` only. */
export async function importEntries<T extends object>(
  registry: Registry<T>,
  { db, account, update }: { readonly db: Database; readonly account: number; readonly update: boolean },
): Promise<Importing<Row>> {
  const { name, key, schema, together = 1, read, put } = registry;
  const stored = await read(db, account);
  const existing = new Map(stored.map((one) => [key(one), one]));
  const conflictOf = await judging(registry, db, stored);
  return {
    title: name,
    read: (file) => readRows(file, columnsOf(schema)),
    inOrder: together,
    store: async (rows) => {
      const counts = { created: 0, updated: 0, unchanged: 0 };
      const [different, refused]: [Rejection[], Rejection[]] = [[], []];
      const accepted = new Map<string, Accepted<T>>();
      for (const { row, fields } of rows) {
        const { data: entry, error: invalid } = z.safeParse(schema, fields);
        if (invalid !== undefined) {
          for (const { path, message } of invalid.issues)
            refused.push({ row, field: path.join("."), message });
          continue;
        }
        const before = accepted.get(key(entry))?.entry ?? existing.get(key(entry));
        const wrong = before === undefined ? [] : differences(row, before, entry);
        if (before !== undefined && wrong.length === 0) counts.unchanged += 1;
        else if (before !== undefined && !update) different.push(...wrong);
        else {
          const conflict = conflictOf(entry);
          if (conflict === undefined) accepted.set(key(entry), { row, entry, isNew: before === undefined });
          else refused.push({ row, field: "", message: conflict });
        }
      }
      try {
        if (accepted.size > 0)
          await put(
            db,
            account,
            [...accepted.values()].map(({ entry }) => entry),
          );
        for (const { entry, isNew } of accepted.values()) {
          existing.set(key(entry), entry);
          counts[isNew ? "created" : "updated"] += 1;
        }
      } catch (error) {
        if (!(error instanceof Problem) || error.kind === "too_many") throw error;
        for (const { row } of accepted.values()) refused.push({ row, field: "", message: error.message });
      }
      return { ...counts, different, refused };
    },
  };
}
