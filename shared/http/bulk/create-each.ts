import type { AccountContext, Context } from "../../lambda/context.ts";
import { type Outcome, type Planner, storeEach } from "../../store/bulk/bulk.ts";
import { allocate } from "../../store/lists/allocate.ts";
import { recordKey } from "../../store/lists/block-list.ts";
import type { BlockList } from "../../store/lists/definitions.ts";
import type { Proof } from "../../store/store-once.ts";

/** A record to create, with its id. */
export interface Draft<I> {
  readonly input: I;
  readonly id: number;
  /** Creation time, ISO 8601. */
  readonly at: string;
  /** Its path in the request: `data.0`. */
  readonly path: string;
}

interface Creation<I, R> {
  readonly list: BlockList;
  /** The owner of the records, as in `block-list.ts`; the account by default. */
  readonly owner?: string;
  readonly inputs: readonly I[];
  /**
   * Plans what to store for each draft, and the record to show to the client. Called again for stale drafts.
   */
  readonly plan: Planner<Draft<I>, R>;
}

/** Creates the records of a bulk call: allocates their ids and stores them as `storeDrafts` does. */
export async function createEach<I, R extends object>(
  context: Pick<AccountContext, "db" | "account_id" | "idempotency">,
  { list, owner = String(context.account_id), inputs, plan }: Creation<I, R>,
): Promise<readonly Outcome<R>[]> {
  const { firstId, at } = await allocate(context.db, list, owner, inputs.length);
  const drafts = inputs.map((input, position) => ({
    input,
    id: firstId + position,
    at,
    path: `data.${position}`,
  }));
  const proof = ({ id }: Draft<I>): Proof => ({ table: list.table, key: recordKey(list, id) });
  return storeDrafts(context, { drafts, proof, plan });
}

interface Drafts<D, R> {
  readonly drafts: readonly D[];
  /** The item that exists if and only if the draft is stored. */
  readonly proof: (draft: D) => Proof;
  readonly plan: Planner<D, R>;
}

/**
 * Stores the new records of a bulk call, each atomically. Records the intended response for a retry with the
 * same `Idempotency-Key`.
 * @throws as `storeEach`
 */
export const storeDrafts = <D, R extends object>(
  { db, idempotency }: Pick<Context, "db" | "idempotency">,
  { drafts, proof, plan }: Drafts<D, R>,
): Promise<readonly Outcome<R>[]> =>
  storeEach(db, drafts, plan, {
    idempotency,
    intended: (results) => ({ response: { data: results }, proofs: drafts.map(proof) }),
  });
