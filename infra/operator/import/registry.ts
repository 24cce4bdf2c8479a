/** Imports entries of registries from files. */
import * as z from "zod/mini";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { Problem } from "../../../shared/common/problem.ts";
import type { Answer } from "../cli/answer.ts";
import { Usage } from "../cli/failures.ts";
import type { Session } from "../cli/session.ts";
import { noteRejections } from "./importing.ts";
import { type Rejection, readRows } from "./rows.ts";

/** The entries of a registry of which a command speaks, wherever they are. */
export interface Entries<T> {
  readonly read: () => Promise<readonly T[]>;
  readonly put: (entry: T) => Promise<void>;
  readonly check: (entry: T, known: readonly T[]) => Promise<void>;
}

/** The kind of entries that a file holds. */
export interface EntryKind<T> {
  /** One entry, in a sentence. */
  readonly title: string;
  readonly schema: z.ZodMiniObject<Readonly<Record<keyof T & string, z.ZodMiniType>>> & z.ZodMiniType<T>;
  /** The identity of an entry. */
  readonly key: (entry: T) => string;
}

/** Stores entries that are new or changed. Rows are stored in order, so one may depend on an earlier one. */
export async function broughtIn<T extends object>(
  { note }: Session,
  file: string,
  { title, key, schema }: EntryKind<T>,
  { read, put, check }: Entries<T>,
): Promise<Answer> {
  const known = new Map((await read()).map((one) => [key(one), one]));
  const refused: Rejection[] = [];
  const counts = { created: 0, unchanged: 0 };
  const refuse = (row: number, field: string, message: string) => void refused.push({ row, field, message });
  for await (const one of readRows(file)) {
    if ("refused" in one) {
      refused.push(...one.refused);
      continue;
    }
    const { row, fields } = one.sound;
    const parsed = z.safeParse(schema, fields);
    const [unknown] = Object.keys(fields).filter((name) => !(name in schema.shape));
    if (unknown !== undefined) refuse(row, unknown, "is no column");
    else if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) refuse(row, path.join("."), message);
    } else if (isDeepEqual(known.get(key(parsed.data)), parsed.data)) counts.unchanged += 1;
    else {
      const entry = parsed.data;
      try {
        await check(entry, [...known.values()]);
        await put(entry);
        known.set(key(entry), entry);
        counts.created += 1;
      } catch (error) {
        if (!(error instanceof Usage || error instanceof Problem)) throw error;
        refuse(row, "", error.message);
      }
    }
  }
  noteRejections(note, refused);
  const { created, unchanged } = counts;
  return {
    text: `Set up ${created}, unchanged ${unchanged}, refused ${refused.length}: rows of the kind ${title}.`,
    data: { ...counts, refused },
    failed: refused.length > 0,
  };
}
