import * as z from "zod/mini";
import { allocate } from "../data/allocate.ts";
import { recordKey } from "../data/block-list.ts";
import { type Plan, storeEach } from "../data/bulk.ts";
import type { BlockList } from "../data/lists.ts";
import { bulkAnswer } from "./bulk-answer.ts";
import type { Tools } from "./endpoint.ts";

/** One record of a create call that has been given its id. */
export interface Draft<I> {
  readonly input: I;
  readonly id: number;
  /** Creation time, ISO 8601. */
  readonly at: string;
  /** Where the request holds it: `data.0`. */
  readonly path: string;
}

interface Creation<I, T, R> {
  readonly list: BlockList;
  /** Whose list it is, as `block-list.ts` counts it. */
  readonly owner: string | number;
  readonly inputs: readonly I[];
  /** What to store for each draft; asked again for drafts whose premise went stale. */
  readonly plan: (drafts: readonly Draft<I>[]) => Promise<readonly Plan<T>[]>;
  readonly record: z.core.$ZodType<R, R>;
  readonly present: (result: T) => R;
}

/**
 * Creates the records of a bulk call: ids for all of them, each stored atomically, the answer foreseen for a retry
 * with the same `Idempotency-Key`.
 * @throws Problem where a record can't be stored; see `storeEach` and `bulkAnswer`
 */
export async function createEach<I, T, R extends object>(
  { db, foresee }: Pick<Tools, "db" | "foresee">,
  { list, owner, inputs, plan, record, present }: Creation<I, T, R>,
): Promise<{ readonly data: R[] }> {
  const { firstId, at } = await allocate(db, list, String(owner), inputs.length);
  const drafts = inputs.map((input, position) => ({
    input,
    id: firstId + position,
    at,
    path: `data.${position}`,
  }));
  const witnesses = drafts.map(({ id }) => ({ table: list.table, key: recordKey(list, id) }));
  const outcomes = await storeEach(db, drafts, plan, (results) =>
    foresee({ data: results.map((result) => z.parse(record, present(result))) }, witnesses),
  );
  return bulkAnswer(outcomes, record, present);
}
