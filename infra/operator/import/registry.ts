/** Imports entries of a registry. Rows are stored in order, so a row may depend on an earlier one. */

import * as z from "zod/mini";
import { Problem } from "../../../shared/common/problem.ts";
import { columnsOf, type Rejection, type Row } from "./columns.ts";
import { differences, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

/** Why an entry conflicts with stored or accepted ones; undefined if it does not. */
export type Judge<T> = (entry: T) => string | undefined;

/** Access to the entries of a registry. */
export interface Entries<T> {
  readonly read: () => Promise<readonly T[]>;
  /** Stores entries of different keys: at most `together`. */
  readonly put: (entries: readonly T[]) => Promise<void>;
  readonly judge: (existing: readonly T[]) => Promise<Judge<T>>;
}

export interface EntryKind<T> {
  /** The registry: `stores`. */
  readonly name: string;
  readonly schema: z.ZodMiniObject<Readonly<Record<keyof T & string, z.ZodMiniType>>> & z.ZodMiniType<T>;
  /** Identifies an entry. */
  readonly key: (entry: T) => string;
  /** How many entries one transaction stores; 1 if absent. */
  readonly together?: number;
}

/** Imports entries. Those that exist with other values are overwritten with `update` only. */
export async function importEntries<T extends object>(
  { name, key, schema, together = 1 }: EntryKind<T>,
  { read, put, judge }: Entries<T>,
  update: boolean,
): Promise<Importing<Row>> {
  const stored = await read();
  const existing = new Map(stored.map((one) => [key(one), one]));
  const conflictOf = await judge(stored);
  return {
    title: name,
    read: (file) => readRows(file, columnsOf(schema)),
    inOrder: together,
    store: async (rows) => {
      const counts = { created: 0, updated: 0, unchanged: 0 };
      const [different, refused]: [Rejection[], Rejection[]] = [[], []];
      const accepted = new Map<
        string,
        { readonly row: number; readonly entry: T; readonly isNew: boolean }
      >();
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
        await put([...accepted.values()].map(({ entry }) => entry));
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
