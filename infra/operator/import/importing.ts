/**
 * What every import does: reads a file in batches, several at a time, and reports the outcome of each row.
 */

import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { withBudget } from "../../../shared/store/dynamodb/retry.ts";
import type { Answer } from "../cli/answer.ts";
import type { Session } from "../cli/session.ts";
import type { Read, Rejection, Row } from "./rows.ts";

/** The outcome of rows. */
export interface ImportResult {
  readonly created: number;
  /** Rows with the values that are already stored. */
  readonly unchanged: number;
  readonly refused: readonly Rejection[];
}

/** How one kind of records is imported. */
export interface Importing<T> {
  /** `products`. */
  readonly title: string;
  /** The records of a file. @throws Usage if the file as a whole is invalid */
  readonly read: (file: string) => AsyncIterable<Read<T>>;
  /** Stores one record after another, because a record may depend on an earlier one. */
  readonly inOrder?: true;
  readonly store: (records: readonly T[]) => Promise<ImportResult>;
}

/**
 * How long the writes of a batch are retried, in milliseconds. DynamoDB throttles a large import into an idle
 * table until it has added partitions, and no caller is waiting.
 */
const retryBudgetMs = 60_000;

/** Records that are stored together. */
const batchSize = 100;

/** Batches that are stored in parallel. */
const parallelBatches = 4;

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

/** Imports all records of a file. Refused records do not prevent the others from being stored. */
export async function importRecords<T>(
  { note, progress }: Pick<Session, "note" | "progress">,
  file: string,
  { title, read, inOrder, store }: Importing<T>,
): Promise<Answer> {
  const result = { created: 0, unchanged: 0 };
  const rejections: Rejection[] = [];
  const bar = progress(`Importing ${title}`);
  const work = async (batch: readonly Read<T>[]): Promise<void> => {
    for (const one of batch) if ("refused" in one) rejections.push(...one.refused);
    const sound = batch.flatMap((one) => ("sound" in one ? [one.sound] : []));
    const { created, unchanged, refused } = await withBudget(() => store(sound), retryBudgetMs);
    result.created += created;
    result.unchanged += unchanged;
    rejections.push(...refused);
    bar.advance(batch.length);
  };
  const batches = batchesOf(read(file), inOrder ? 1 : batchSize);
  await forEachConcurrently(batches, work, inOrder ? 1 : parallelBatches).finally(() =>
    bar.stop(`Import of ${title} ended`),
  );
  const refused = rejections.toSorted((left, right) => left.row - right.row);
  noteRejections(note, refused);
  const rows = new Set(refused.map(({ row }) => row)).size;
  return {
    text: `Created ${result.created}, unchanged ${result.unchanged}, refused ${rows} of the ${title}.`,
    data: { ...result, refused },
    failed: refused.length > 0,
  };
}

/** The number of rejections that are shown. `--json` lists all of them. */
const maxShown = 100;

/** Shows why rows were refused. */
function noteRejections(note: Session["note"], refused: readonly Rejection[]): void {
  for (const { row, field, message } of refused.slice(0, maxShown))
    note([`row ${row}:`, field, message].filter((part) => part !== "").join(" "));
  const more = refused.length - maxShown;
  if (more > 0) note(`and ${more} more, which --json lists`);
}

/** Refuses rows with unknown columns. */
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
