/** What every import does: reads a file in batches, several at a time, and tells what became of each row. */
import type { FieldError } from "../../../shared/domain/problem.ts";
import { Problem } from "../../../shared/domain/problem.ts";
import { forEach } from "../../../shared/store/side-by-side.ts";
import type { Answer } from "../cli/answer.ts";
import type { Session } from "../cli/session.ts";
import type { Row } from "./rows.ts";

/** Why a row was not taken. */
export interface Refusal {
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

/** What became of some rows. */
export interface Fates {
  readonly created: number;
  /** Rows that say what is there already. */
  readonly unchanged: number;
  readonly refused: readonly Refusal[];
}

/** How rows of one kind are brought in. */
export interface Importing<T> {
  /** `products`. */
  readonly title: string;
  /** Records that are stored together. */
  readonly batchSize: number;
  /** Batches that are stored side by side. */
  readonly atOnce: number;
  readonly store: (records: readonly T[]) => Promise<Fates>;
}

async function* batchesOf<T>(records: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[], void> {
  let batch: T[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Brings in all records. What is refused does not keep the others from being stored. */
export async function bringIn<T>(
  { note, progress }: Pick<Session, "note" | "progress">,
  records: AsyncIterable<T>,
  { title, batchSize, atOnce, store }: Importing<T>,
): Promise<Answer> {
  const result = { created: 0, unchanged: 0, refused: [] as Refusal[] };
  const bar = progress(`Importing ${title}`);
  const work = async (batch: readonly T[]): Promise<void> => {
    const { created, unchanged, refused } = await store(batch);
    result.created += created;
    result.unchanged += unchanged;
    result.refused.push(...refused);
    bar.advance(batch.length);
  };
  await forEach(batchesOf(records, batchSize), work, atOnce).finally(() =>
    bar.stop(`Import of ${title} ended`),
  );
  const refused = result.refused.toSorted((left, right) => left.row - right.row);
  noteRefusals(note, refused);
  const rows = new Set(refused.map(({ row }) => row)).size;
  return {
    text: `Created ${result.created}, unchanged ${result.unchanged}, refused ${rows} of the ${title}.`,
    data: { ...result, refused },
    failed: refused.length > 0,
  };
}

/** Most refusals that are shown. `--json` tells all of them. */
const mostShown = 100;

/** Shows why rows were refused. */
export function noteRefusals(note: Session["note"], refused: readonly Refusal[]): void {
  for (const { row, field, message } of refused.slice(0, mostShown))
    note([`row ${row}:`, field, message].filter((part) => part !== "").join(" "));
  const more = refused.length - mostShown;
  if (more > 0) note(`and ${more} more, which --json tells`);
}

/** A record that was read, and the row in which it begins. */
export interface ReadRecord {
  readonly row: number;
  readonly record: object;
}

/**
 * Stores records by a bulk call of the service, whose checks refuse a call whole. Records that a call names as wrong are
 * refused, and the others are sent again.
 * @param call stores the records of a body `{"data": […]}`. It throws as the call does
 */
export async function storedByCall(
  records: readonly ReadRecord[],
  call: (body: { readonly data: readonly object[] }) => Promise<unknown>,
): Promise<Fates> {
  const refused: Refusal[] = [];
  let left = records;
  while (left.length > 0) {
    try {
      await call({ data: left.map(({ record }) => record) });
      return { created: left.length, unchanged: 0, refused };
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === "too_many") throw error;
      const { details, message } = error;
      if (details.data !== undefined) {
        const apart = partly(left, details.data);
        return { ...apart, refused: [...refused, ...apart.refused] };
      }
      const wrong = refusalsOf(left, details.errors ?? []);
      refused.push(...wrong);
      const rows = new Set(wrong.map(({ row }) => row));
      if (rows.size === 0) {
        refused.push(...left.map(({ row }) => ({ row, field: "", message })));
        break;
      }
      left = left.filter(({ row }) => !rows.has(row));
    }
  }
  return { created: 0, unchanged: 0, refused };
}

/** The refusals of errors at `data.3.sku`. */
function refusalsOf(records: readonly ReadRecord[], errors: readonly FieldError[]): readonly Refusal[] {
  return errors.flatMap(({ path, message }) => {
    const [, position, ...field] = path.split(".");
    const record = records[Number(position)];
    return record === undefined ? [] : [{ row: record.row, field: field.join("."), message }];
  });
}

/** What became of records of which a call stored some only; `data` says which. */
function partly(records: readonly ReadRecord[], data: readonly unknown[]): Fates {
  const refused = records.flatMap(({ row }, position): readonly Refusal[] => {
    const element = data[position];
    const isStored =
      typeof element === "object" && element !== null && "success" in element && element.success === true;
    if (isStored) return [];
    const message =
      typeof element === "object" && element !== null && "message" in element ? String(element.message) : "";
    return [{ row, field: "", message }];
  });
  return { created: records.length - refused.length, unchanged: 0, refused };
}

/** Refuses rows that have columns which nothing reads. */
export const unknownColumns = ({ row, fields }: Row, known: readonly string[]): readonly Refusal[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((field) => ({ row, field, message: `is not known; the columns are ${known.join(", ")}` }));
