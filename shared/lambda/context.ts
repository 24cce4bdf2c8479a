import type { Database } from "../store/dynamodb/database.ts";
import type { Write } from "../store/dynamodb/writes.ts";
import type { Proof } from "../store/idempotency.ts";
import { isStorable, storeRecord } from "../store/sagas/saga.ts";

/**
 * Ties the records that a call stores to the answer that a retry with its `Idempotency-Key` is given. Without a key
 * neither method does anything, and neither asks for an answer.
 */
export interface Idempotency {
  /**
   * For a call of several transactions: notes the answer that the call will give once all of `proofs` are stored.
   * Should the call die after storing all of them, a retry is given this answer. Should it die after storing some, the
   * retry is told which elements of `answer.data` were stored.
   */
  readonly recordIntended: (answer: () => object, proofs: () => readonly Proof[]) => Promise<void>;
  /**
   * For a call of one record: the write that keeps its answer, to be stored with the record. Without one, where `fits`
   * says that there is no room for it: then the answer is kept after the record is stored.
   */
  readonly responseWrites: (
    answer: () => object,
    fits: (kept: readonly Write[]) => boolean,
  ) => readonly Write[];
}

/** The idempotency of a call without a key, and of work that is no call, such as an operator's command. */
export const noIdempotencyKey: Idempotency = {
  recordIntended: async () => undefined,
  responseWrites: () => [],
};

/** What every flow works with. */
export interface Context {
  readonly db: Database;
  /** Who calls, for records of who did what: `account:100`, `user:manager`. */
  readonly actor: string;
  /** When the call came, ISO 8601 UTC. */
  readonly now: string;
  readonly idempotency: Idempotency;
}

/** What every flow works with that concerns one account. */
export interface AccountContext extends Context {
  readonly account_id: number;
}

/**
 * Stores a call's one record, as `storeRecord` does, and answers `answer`. The kept answer is stored with the record, so a retry
 * with the same `Idempotency-Key` does not repeat it, even where the function died right after it. An answer that is too
 * large for that (see `responseWrites` and `settlement`) is the exception. `again` is what a retry is answered, where `answer` holds
 * what is given once and kept nowhere; it must be small.
 * @throws as `storeRecord`
 */
export async function storeOnce<A extends object>(
  { db, idempotency }: Pick<Context, "db" | "idempotency">,
  writes: readonly Write[],
  answer: A,
  again: A = answer,
): Promise<A> {
  const kept = idempotency.responseWrites(
    () => again,
    (more) => isStorable([...writes, ...more]),
  );
  await storeRecord(db, [...writes, ...kept]);
  return answer;
}
