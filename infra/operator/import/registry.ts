/** Imports entries of a registry. Rows are stored in order, so a row may depend on an earlier one. */

import * as z from "zod/mini";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { Problem } from "../../../shared/common/problem.ts";
import { Usage } from "../cli/command.ts";
import { type Importing, knownColumns } from "./importing.ts";
import { type Rejection, type Row, readRows } from "./rows.ts";

/** Access to the entries of a registry. */
export interface Entries<T> {
  readonly read: () => Promise<readonly T[]>;
  readonly put: (entry: T) => Promise<void>;
  /** @throws Usage if an entry conflicts with existing ones */
  readonly check: (entry: T, existing: readonly T[]) => Promise<void>;
}

export interface EntryKind<T> {
  /** The registry: `stores`. */
  readonly name: string;
  readonly schema: z.ZodMiniObject<Readonly<Record<keyof T & string, z.ZodMiniType>>> & z.ZodMiniType<T>;
  /** Identifies an entry. */
  readonly key: (entry: T) => string;
}

export async function importEntries<T extends object>(
  { name, key, schema }: EntryKind<T>,
  { read, put, check }: Entries<T>,
): Promise<Importing<Row>> {
  const existing = new Map((await read()).map((one) => [key(one), one]));
  /** Stores an entry that is new or changed. @returns whether it was */
  const store = async (entry: T): Promise<boolean> => {
    if (isDeepEqual(existing.get(key(entry)), entry)) return false;
    await check(entry, [...existing.values()]);
    await put(entry);
    existing.set(key(entry), entry);
    return true;
  };
  return {
    title: name,
    read: (file) => knownColumns(readRows(file), Object.keys(schema.shape)),
    inOrder: true,
    store: async (rows) => {
      const result = { created: 0, unchanged: 0 };
      const refused: Rejection[] = [];
      for (const { row, fields } of rows) {
        const { data: entry, error: invalid } = z.safeParse(schema, fields);
        try {
          if (invalid === undefined) result[(await store(entry)) ? "created" : "unchanged"] += 1;
          else
            for (const { path, message } of invalid.issues)
              refused.push({ row, field: path.join("."), message });
        } catch (error) {
          if (!(error instanceof Usage || error instanceof Problem)) throw error;
          refused.push({ row, field: "", message: error.message });
        }
      }
      return { ...result, refused };
    },
  };
}
