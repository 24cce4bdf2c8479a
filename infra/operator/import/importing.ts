/** What every import does: reads a file in batches, several at a time, and tells what became of each row. */

import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";
import type { Answer } from "../cli/answer.ts";
import type { Session } from "../cli/session.ts";
import type { Read, Rejection, Row } from "./rows.ts";

/** What became of some rows. */
export interface ImportResult {
  readonly created: number;
  /** Rows that say what is there already. */
  readonly unchanged: number;
  readonly refused: readonly Rejection[];
}

/** How rows of one kind are brought in. */
export interface Importing<T> {
  /** `products`. */
  readonly title: string;
  /** The records of a file. @throws Usage where the file is wrong as a whole */
  readonly read: (file: string) => AsyncIterable<Read<T>>;
  /** Records that are stored together. */
  readonly batchSize: number;
  /** Batches that are stored side by side. */
  readonly atOnce: number;
  readonly store: (records: readonly T[]) => Promise<ImportResult>;
}

/**
 * How long a batch may wait for others, in milliseconds. A table that has had little to do throttles a large import until
 * DynamoDB has spread the table out, and no caller waits here.
 */
const retryBudgetMs = 60_000;

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

/** Brings in all records of a file. What is refused does not keep the others from being stored. */
export async function bringIn<T>(
  { note, progress }: Pick<Session, "note" | "progress">,
  file: string,
  { title, read, batchSize, atOnce, store }: Importing<T>,
): Promise<Answer> {
  const result: { created: number; unchanged: number; refused: Rejection[] } = {
    created: 0,
    unchanged: 0,
    refused: [],
  };
  const bar = progress(`Importing ${title}`);
  const work = async (batch: readonly Read<T>[]): Promise<void> => {
    for (const one of batch) if ("refused" in one) result.refused.push(...one.refused);
    const sound = batch.flatMap((one) => ("sound" in one ? [one.sound] : []));
    const { created, unchanged, refused } = await withBudget(() => store(sound), retryBudgetMs);
    result.created += created;
    result.unchanged += unchanged;
    result.refused.push(...refused);
    bar.advance(batch.length);
  };
  await forEachConcurrently(batchesOf(read(file), batchSize), work, atOnce).finally(() =>
    bar.stop(`Import of ${title} ended`),
  );
  const refused = result.refused.toSorted((left, right) => left.row - right.row);
  noteRejections(note, refused);
  const rows = new Set(refused.map(({ row }) => row)).size;
  return {
    text: `Created ${result.created}, unchanged ${result.unchanged}, refused ${rows} of the ${title}.`,
    data: { ...result, refused },
    failed: refused.length > 0,
  };
}

/** Most rejections that are shown. `--json` tells all of them. */
const maxShown = 100;

/** Shows why rows were refused. */
export function noteRejections(note: Session["note"], refused: readonly Rejection[]): void {
  for (const { row, field, message } of refused.slice(0, maxShown))
    note([`row ${row}:`, field, message].filter((part) => part !== "").join(" "));
  const more = refused.length - maxShown;
  if (more > 0) note(`and ${more} more, which --json tells`);
}

/** Refuses rows that have columns which nothing reads. */
export async function* knownColumns(
  rows: AsyncIterable<Read<Row>>,
  known: readonly string[],
): AsyncGenerator<Read<Row>, void> {
  for await (const one of rows) {
    const refused = "sound" in one ? unknownColumns(one.sound, known) : one.refused;
    yield refused.length > 0 ? { refused } : one;
  }
}

const unknownColumns = ({ row, fields }: Row, known: readonly string[]): readonly Rejection[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((field) => ({ row, field, message: `is not known; the columns are ${known.join(", ")}` }));
