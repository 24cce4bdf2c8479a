import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { inBatches } from "../../common/concurrency.ts";
import type { Database } from "./database.ts";
import type { DryRun } from "./dry-run.ts";
import { neverHolds, transactItem } from "./expressions.ts";
import { Busy, backOff, inBudget, retrying } from "./retry.ts";
import { markHotKey, toShard } from "./sharded-counter.ts";
import {
  type Conditional,
  mergeWrites,
  rejectionOf,
  SagaInProgress,
  Stale,
  sagaAttribute,
  stampRequestId,
  type Write,
} from "./writes.ts";

/** DynamoDB's limit of items in one transaction. */
export const transactionLimit = 100;

/**
 * The maximum number of bytes that the writes of one transaction send. DynamoDB's limit is 4 MB for the items
 * as a whole; the rest is for attributes that changes and removals do not send.
 */
export const maxTransactionBytes = 3_500_000;

/** Reasons of a cancellation that a retry may overcome. */
const transient = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

export function fitsTransaction(writes: readonly Write[]): boolean {
  const items = mergeWrites(writes);
  return items !== undefined && items.length <= transactionLimit && sizeOf(items) <= maxTransactionBytes;
}

/** The maximum number of bytes of a number in DynamoDB. */
const maxNumberBytes = 21;

/** The maximum bytes that DynamoDB counts for a value. As JSON, compressed ones would take ten times that. */
function bytesOfValue(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return maxNumberBytes;
  const parts = Object.entries(value).map(([name, part]) => Buffer.byteLength(name) + 1 + bytesOfValue(part));
  return parts.reduce((sum, part) => sum + part, 3);
}

/** The maximum number of bytes that writes send. */
export const sizeOf = (writes: readonly Write[]): number =>
  writes.reduce((sum, write) => sum + bytesOfValue(write), 0);

/** Stores all of `writes` or none. @throws the `rejection` of one whose condition fails; as `commit` */
export async function transact(db: Database, writes: readonly Write[]): Promise<void> {
  const failed = await commit(db, writes);
  if (failed !== undefined) throw rejectionOf(failed);
}

/**
 * Stores all of `writes`, or none if a condition fails, and returns the write with that condition. Counts on
 * one item, or of one group, are merged first. Conflicts with other transactions and throttling are retried
 * with jitter. If DynamoDB's response is lost, the client resends the call, and its token keeps DynamoDB from
 * applying it twice. In a dry run, the conditions are evaluated and nothing is stored.
 * @throws Busy if conflicts or throttling outlast the budget; nothing is stored then
 */
export const commit = (db: Database, writes: readonly Write[]): Promise<Conditional | undefined> =>
  inBudget(async () => {
    const items = mergeWrites(stampRequestId(writes, db.requestId));
    if (items === undefined) throw new Error("two writes of one transaction touch the same item");
    if (items.length === 0) return undefined;
    if (items.length > transactionLimit) throw new Error(`${items.length} writes do not fit one transaction`);
    return db.dryRun === undefined ? send(db, items) : rehearse(db, items, db.dryRun);
  });

/** Evaluates the conditions of `writes`: with two transactions if one has no room for `neverHolds`. */
async function rehearse(
  db: Database,
  writes: readonly Write[],
  dryRun: DryRun,
): Promise<Conditional | undefined> {
  const { open, failed } = dryRun.check(writes);
  for (const some of inBatches(open, transactionLimit - 1)) {
    const failed = await send(db, some);
    if (failed !== undefined) return failed;
  }
  if (failed === undefined) dryRun.note(writes);
  return failed;
}

async function send(db: Database, items: readonly Write[]): Promise<Conditional | undefined> {
  const [first] = items;
  const model = db.dryRun === undefined || first?.kind === "count" ? undefined : first;
  // The client of a dry run rejects requests without an item whose condition never holds.
  const { client } = (model && db.dryRun?.connection) ?? db;
  for (let attempt = 1; ; attempt += 1) {
    const token = randomUUID();
    try {
      const TransactItems = items.map((write) => transactItem(db, toShard(db, write)));
      if (model !== undefined) TransactItems.push(neverHolds(db, model));
      await client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }));
      return undefined;
    } catch (error) {
      const position = codesOf(error).indexOf("ConditionalCheckFailed");
      if (model !== undefined && isOnlyAt(items.length, codesOf(error))) return undefined;
      const failed = items[position];
      if (failed !== undefined && failed.kind !== "count")
        return unlessInSaga(failed, itemOf(error, position));
      if (!isTransient(error)) throw error;
      const collided = items.filter((_, index) => codesOf(error)[index] === "TransactionConflict");
      await Promise.all(collided.map((write) => markHotKey(db, write, attempt)));
      await backOff(attempt, error);
    }
  }
}

const codesOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None")
    : [];

/** Whether a transaction was cancelled only because of this item. */
const isOnlyAt = (position: number, codes: readonly string[]): boolean =>
  codes[position] === "ConditionalCheckFailed" &&
  codes.every((code, index) => index === position || code === "None");

/** The item that DynamoDB returns with a failed condition; see `expressions.ts`. */
const itemOf = (error: unknown, position: number) =>
  error instanceof TransactionCanceledException ? error.CancellationReasons?.[position]?.Item : undefined;

/** The write whose condition fails. If a saga has locked its item, the rejection says so. */
function unlessInSaga(failed: Conditional, item: ReturnType<typeof itemOf>): Conditional {
  const saga = item?.[sagaAttribute]?.S;
  return saga === undefined ? failed : { ...failed, rejection: () => new SagaInProgress(saga) };
}

const isTransient = (error: unknown): boolean => codesOf(error).some((code) => transient.has(code));

/**
 * Runs `decide` (read, decide, write) until it is not stale. If a saga has locked an item, resumes the saga,
 * or without `resumeSaga` waits until others do. @throws Busy if that takes too long
 */
export const untilFresh = <T>(db: Database, decide: () => Promise<T>): Promise<T> =>
  retrying(
    async () => {
      try {
        return await decide();
      } catch (error) {
        if (error instanceof SagaInProgress) await db.resumeSaga?.(db, error.saga);
        throw error;
      }
    },
    (error) => error instanceof Stale,
  );

/** Whether all were stored. If a collision lasts, none was, and the caller tries again later. */
export async function isCommitted(db: Database, writes: readonly Write[]): Promise<boolean> {
  try {
    return (await commit(db, writes)) === undefined;
  } catch (error) {
    if (error instanceof Busy) return false;
    throw error;
  }
}

/** Stores something that is not worth a retry. @returns false if its conditions are stale */
export async function unlessStale(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (error instanceof Stale) return false;
    throw error;
  }
}
