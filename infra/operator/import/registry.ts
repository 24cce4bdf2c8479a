/** Imports entries of a registry. Rows are stored in order, so a row may depend on an earlier one. */

import * as z from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { columnsOf, type Rejection, type Row } from "../../import/columns.ts";
import { type FiledRecord, recordPerRow } from "../../import/each-once.ts";
import { differences, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

/**
 * Says why an entry conflicts with those accepted before it; undefined if it does not, and is accepted. What
 * a stored entry refers to may be lost.
 */
export type Judge<T> = (entry: T, isStored?: boolean) => string | undefined;

/** Entries that records refer to, each of which a key identifies. */
export interface Registry<T> {
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

/** A judge that has accepted what is stored. */
export async function judging<T>(
  { judge }: Registry<T>,
  db: Database,
  stored: readonly T[],
): Promise<Judge<T>> {
  const conflictOf = (await judge?.(db)) ?? (() => undefined);
  for (const entry of stored) conflictOf(entry, true);
  return conflictOf;
}

interface Entered<T> {
  readonly row: number;
  readonly entry: T;
}

const entryOfRow =
  <T>({ schema, key }: Registry<T>) =>
  ({ row, fields }: Row): FiledRecord<Entered<T>> => {
    const { data: entry, error } = z.safeParse(schema, fields);
    if (error === undefined) return { name: { text: key(entry), row }, read: { sound: { row, entry } } };
    const refused = error.issues.map(({ path, message }) => ({ row, field: path.join("."), message }));
    return { name: undefined, read: { refused } };
  };

/** Imports entries. Those that exist with other values are overwritten with `update` only. */
export async function importEntries<T extends object>(
  registry: Registry<T>,
  { db, account, update }: { readonly db: Database; readonly account: number; readonly update: boolean },
): Promise<Importing<Entered<T>>> {
  const { name, key, schema, together = 1, read, put } = registry;
  const stored = await read(db, account);
  const existing = new Map(stored.map((one) => [key(one), one]));
  const conflictOf = await judging(registry, db, stored);
  return {
    title: name,
    once: { field: "", rule: "an entry may occur once" },
    read: (file) => recordPerRow(readRows(file, columnsOf(schema)), entryOfRow(registry)),
    inOrder: together,
    store: async (rows) => {
      let unchanged = 0;
      const [different, refused]: [Rejection[], Rejection[]] = [[], []];
      const accepted: Entered<T>[] = [];
      for (const one of rows) {
        const { row, entry } = one;
        const before = existing.get(key(entry));
        const wrong = before === undefined ? [] : differences(row, before, entry);
        if (before !== undefined && wrong.length === 0) {
          unchanged += 1;
          continue;
        }
        const conflict = conflictOf(entry);
        if (conflict !== undefined) refused.push({ row, field: "", message: conflict });
        else if (before === undefined || update) accepted.push(one);
        else different.push(...wrong);
      }
      const failed = await putTogether(accepted, (entries) => put(db, account, entries));
      const isNew = ({ entry }: Entered<T>) => !existing.has(key(entry));
      const done = failed.length > 0 ? [] : accepted;
      const created = done.filter(isNew).length;
      const updated = done.length - created;
      return { created, updated, unchanged, different, refused: [...refused, ...failed] };
    },
  };
}

/** Stores entries together. @returns why they were refused */
async function putTogether<T>(
  accepted: readonly Entered<T>[],
  put: (entries: readonly T[]) => Promise<void>,
): Promise<readonly Rejection[]> {
  if (accepted.length === 0) return [];
  try {
    await put(accepted.map(({ entry }) => entry));
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === "too_many") throw error;
    return accepted.map(({ row }) => ({ row, field: "", message: error.message }));
  }
}
