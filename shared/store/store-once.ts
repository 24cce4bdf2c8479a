/**
 * Gives a call with an `Idempotency-Key` one effect and one answer (docs/decisions.md, Retries).
 *
 * Each transaction of such a call also stores receipts: what the call answers for what the transaction
 * stores. A retry of an interrupted call reads them. What has a receipt took effect and is answered by it;
 * only the rest is carried out. `HeldKey` in `idempotency.ts` makes receipts; calls without a key have none.
 *
 * A call of one transaction has one receipt, which holds its response (`storeOnce`). A call of several
 * records has one for each (`storeEach` stores them, `storeRest` leaves out the records that have one).
 */
import type { Database } from "./dynamodb/database.ts";
import type { Write } from "./dynamodb/writes.ts";
import { storeRecord } from "./sagas/saga.ts";

export interface Idempotency {
  /** Identifies the call and all of its retries; undefined without a key. */
  readonly call: string | undefined;
  /** The results of records that an interrupted run of the call stored, by their positions in the call. */
  readonly earlier: ReadonlyMap<number, unknown>;
  /** The receipt of the record at a position, to be stored with it. */
  readonly receipt: (position: number, result: unknown) => readonly Write[];
  /** The receipt of the call, to be stored with everything that the call stores. */
  readonly callReceipt: (response: object) => readonly Write[];
}

/** Of a call without a key, and of work that is no call, such as an operator's command. */
export const noIdempotencyKey: Idempotency = {
  call: undefined,
  earlier: new Map(),
  receipt: () => [],
  callReceipt: () => [],
};

/**
 * Stores a call's one record and returns its response. A retry gets `again`, which differs if `response`
 * holds what is given once and kept nowhere.
 * @throws as `storeRecord`
 */
export async function storeOnce<A extends object>(
  { db, idempotency }: { readonly db: Database; readonly idempotency: Idempotency },
  writes: readonly Write[],
  response: A,
  again: A = response,
): Promise<A> {
  await storeRecord(db, [...writes, ...idempotency.callReceipt(again)]);
  return response;
}
