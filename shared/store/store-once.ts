/**
 * Ties what a call stores to the response that a retry with its `Idempotency-Key` gets (docs/decisions.md,
 * Retries).
 *
 * A flow states its response where it stores its records. A call of one record stores both in one transaction
 * (`storeOnce`). A call of several transactions records the response first, with the records that prove how
 * far the call came (`intend`). `HeldKey` in `idempotency.ts` does this for calls with a key; calls without
 * one only store their records.
 */
import type { Database } from "./dynamodb/database.ts";
import type { Lookup } from "./dynamodb/reads.ts";
import type { Write } from "./dynamodb/writes.ts";
import { storeRecord } from "./sagas/saga.ts";

/**
 * A record whose existence proves that a call stored it. If another call may store a record under the same
 * key, the record's attribute `receipt` tells them apart.
 */
export interface Proof extends Lookup {
  readonly receipt?: string | undefined;
}

export interface Idempotency {
  /**
   * Records the response that the call gives once all of `proofs` are stored. If the call dies after that, a
   * retry gets this response. If it dies after storing some of them, the retry learns which elements of
   * `response.data` were stored.
   */
  readonly intend: (response: object, proofs: readonly Proof[]) => Promise<void>;
  /** The writes of a call's one record, with the one that keeps the response if `store` has room for both. */
  readonly withResponse: (writes: readonly Write[], response: object) => readonly Write[];
}

/** Of a call without a key, and of work that is no call, such as an operator's command. */
export const noIdempotencyKey: Idempotency = {
  intend: async () => undefined,
  withResponse: (writes) => writes,
};

/**
 * Stores a call's one record and returns its response. A retry gets `again`, which differs if `response`
 * holds what is given once and kept nowhere; it must be small. A response that does not fit the record's
 * transactions is kept after them.
 * @throws as `storeRecord`
 */
export async function storeOnce<A extends object>(
  { db, idempotency }: { readonly db: Database; readonly idempotency: Idempotency },
  writes: readonly Write[],
  response: A,
  again: A = response,
): Promise<A> {
  await storeRecord(db, idempotency.withResponse(writes, again));
  return response;
}
