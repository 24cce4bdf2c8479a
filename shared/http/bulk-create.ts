import * as z from "zod/mini";
import { type Plan, storeEach } from "../store/bulk.ts";
import type { Witness } from "../store/idempotency.ts";
import { allocate } from "../store/lists/allocate.ts";
import { recordKey } from "../store/lists/block-list.ts";
import type { BlockList } from "../store/lists/definitions.ts";
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

interface Storing<D, T, R> {
  readonly drafts: readonly D[];
  /** The record that is stored if and only if the draft is. */
  readonly witness: (draft: D) => Witness;
  /** What to store for each draft; asked again for drafts whose premise went stale. */
  readonly plan: (drafts: readonly D[]) => Promise<readonly Plan<T>[]>;
  readonly record: z.core.$ZodType<R, R>;
  readonly present: (result: T) => R;
}

/**
 * Stores the records of a bulk call, each atomically, the answer foreseen for a retry with the same `Idempotency-Key`.
 * @throws Problem where a record can't be stored; see `storeEach` and `bulkAnswer`
 */
export async function storeForeseen<D, T, R extends object>(
  { db, foresee }: Pick<Tools, "db" | "foresee">,
  { drafts, witness, plan, record, present }: Storing<D, T, R>,
): Promise<{ readonly data: R[] }> {
  const outcomes = await storeEach(db, drafts, plan, (results) =>
    foresee({ data: results.map((result) => z.parse(record, present(result))) }, drafts.map(witness)),
  );
  return bulkAnswer(outcomes, record, present);
}

interface Creation<I, T, R> extends Omit<Storing<Draft<I>, T, R>, "drafts" | "witness"> {
  readonly list: BlockList;
  /** Whose list it is, as `block-list.ts` counts it. */
  readonly owner: string | number;
  readonly inputs: readonly I[];
}

/** Creates the records of a bulk call: ids for all of them, then as `storeForeseen` has it. */
export async function createEach<I, T, R extends object>(
  tools: Pick<Tools, "db" | "foresee">,
  { list, owner, inputs, ...storing }: Creation<I, T, R>,
): Promise<{ readonly data: R[] }> {
  const { firstId, at } = await allocate(tools.db, list, String(owner), inputs.length);
  const drafts = inputs.map((input, position) => ({
    input,
    id: firstId + position,
    at,
    path: `data.${position}`,
  }));
  const witness = ({ id }: Draft<I>) => ({ table: list.table, key: recordKey(list, id) });
  return storeForeseen(tools, { ...storing, drafts, witness });
}
