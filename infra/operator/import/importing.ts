/**
 * What every import does: reads a file in batches, several at a time, and reports the outcome of each row.
 */
import type * as z from "zod/mini";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { dryRunOf } from "../../../shared/store/dynamodb/dry-run.ts";
import { unattendedBudgetMs, withBudget } from "../../../shared/store/dynamodb/retry.ts";
import type { BulkCall, ImportResult } from "../../import/by-call.ts";
import type { Read, Rejection } from "../../import/columns.ts";
import { eachOnce, type FiledRecord, type OnceRule } from "../../import/each-once.ts";
import { batchesOf } from "../batches.ts";
import type { CommandContext } from "../cli/context.ts";
import type { CommandResult } from "../cli/result.ts";

export interface Importing<T> {
  /** `products`. */
  readonly title: string;
  /** What parses the records of a file, which is read once. @throws Usage if it is invalid as a whole */
  readonly read: (file: string) => () => Iterable<FiledRecord<T>>;
  readonly once: OnceRule;
  /** What becomes of records that differ, with --update: `updated` by default. */
  readonly updated?: string;
  /** If records may depend on earlier ones: how many are stored together, one batch after another. */
  readonly inOrder?: number;
  readonly store: (records: readonly T[]) => Promise<ImportResult>;
}

interface Endpoint<I> {
  readonly request: z.ZodMiniType<I>;
  readonly flow: (request: I, context: AccountContext) => Promise<unknown>;
}

/** A bulk call of the API that is made on this machine, with a context of its own each time. */
export const callOf =
  <I>({ request, flow }: Endpoint<I>, context: () => AccountContext): BulkCall =>
  (body) =>
    flow(parseRequest(request, { body }), context());

/** The same for a dry run. */
export const dryRunContext = (context: () => AccountContext) => (): AccountContext => {
  const { db, ...others } = context();
  return { ...others, db: dryRunOf(db) };
};

/** The fields of a row whose values are not the stored ones. */
export const differences = (row: number, stored: object, here: object): readonly Rejection[] => {
  const values = new Map(Object.entries(stored));
  return Object.entries(here)
    .filter(([field, value]) => !isDeepEqual(values.get(field), value))
    .map(([field, value]) => ({
      row,
      field,
      message: `is ${JSON.stringify(values.get(field))} in the service, and ${JSON.stringify(value)} here`,
    }));
};

const batchSize = 100;

const parallelBatches = 4;

/**
 * Imports all records of a file, which is read and checked whole before anything is stored. Refused records
 * do not prevent the others from being stored.
 */
export async function importRecords<T>(
  { note, progress, ifInterrupted }: Pick<CommandContext, "note" | "progress" | "ifInterrupted">,
  file: string,
  { title, read, once, updated = "updated", inOrder, store }: Importing<T>,
): Promise<CommandResult> {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const [different, refused]: [Rejection[], Rejection[]] = [[], []];
  const sentence = () =>
    `Created ${counts.created}, ${updated} ${counts.updated}, unchanged ${counts.unchanged}, ` +
    `different ${rowsOf(different)}, refused ${rowsOf(refused)} of the ${title}.`;
  const { count, records } = eachOnce(read(file), once);
  const advance = progress(`Importing ${title}`, count);
  ifInterrupted(sentence);
  const work = async (batch: readonly Read<T>[]): Promise<void> => {
    for (const one of batch) if ("refused" in one) refused.push(...one.refused);
    const sound = batch.flatMap((one) => ("sound" in one ? [one.sound] : []));
    const stored = await withBudget(() => store(sound), unattendedBudgetMs);
    counts.created += stored.created;
    counts.updated += stored.updated ?? 0;
    counts.unchanged += stored.unchanged;
    different.push(...(stored.different ?? []));
    refused.push(...stored.refused);
    advance(batch.length);
  };
  const batches = batchesOf(records, inOrder ?? batchSize);
  await forEachConcurrently(batches, work, inOrder === undefined ? parallelBatches : 1);
  for (const some of [refused, different]) {
    some.sort((left, right) => left.row - right.row);
    noteRows(note, some);
  }
  if (different.length > 0) note("Rows that differ from what is stored were left out; --update stores them.");
  return {
    text: sentence(),
    data: { ...counts, different, refused },
    ends: different.length + refused.length > 0 ? "refused_rows" : undefined,
  };
}

const rowsOf = (some: readonly Rejection[]): number => new Set(some.map(({ row }) => row)).size;

/** The number of rejections that are shown. `--json` lists all of them. */
const maxShown = 100;

function noteRows(note: CommandContext["note"], some: readonly Rejection[]): void {
  for (const { row, field, message } of some.slice(0, maxShown))
    note([`row ${row}:`, field, message].filter((part) => part !== "").join(" "));
  const more = some.length - maxShown;
  if (more > 0) note(`and ${more} more, which --json lists`);
}
