import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { alignLayout } from "../layouts/layout-moves.ts";
import { markHotKey, spread } from "../sharded-counter.ts";
import type { Database } from "./database.ts";
import { transactItem } from "./expressions.ts";
import { backOff, inBudget } from "./retry.ts";
import { type Conditional, merged, SagaInProgress, Stale, sagaAttribute, type Write } from "./writes.ts";

/** DynamoDB's limit of items in one transaction. */
export const transactionLimit = 100;

/**
 * Most bytes that the writes of one transaction send. DynamoDB's limit is 4 MB for the items as a whole. The rest is for what
 * changes and removals do not send of theirs.
 */
export const largestTransaction = 3_500_000;

/** What keeps a transaction from being stored just now. */
const transient = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/** Items that a transaction holds however large they are: DynamoDB's limit of one item is 400 KB. */
const alwaysFit = 9;

/** Whether one transaction holds all of `writes`. */
export function fitsTransaction(writes: readonly Write[]): boolean {
  const items = merged(writes);
  if (items === undefined || items.length > transactionLimit) return false;
  return items.length <= alwaysFit || sizeOf(items) <= largestTransaction;
}

/** Most bytes of a number in DynamoDB. */
const largestNumber = 21;

/** Bytes that DynamoDB counts for a value at most; no value is a set. As JSON, what is compressed would take ten times as much. */
function bytesOfValue(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return largestNumber;
  const parts = Object.entries(value).map(([name, part]) => Buffer.byteLength(name) + 1 + bytesOfValue(part));
  return parts.reduce((sum, part) => sum + part, 3);
}

/** Bytes that writes send, at most. */
export const sizeOf = (writes: readonly Write[]): number =>
  writes.reduce((sum, write) => sum + bytesOfValue(write), 0);

/**
 * Stores all of `writes` or none of them.
 * @throws the `rejection` of the write whose condition does not hold; Busy
 */
export async function transact(db: Database, writes: readonly Write[]): Promise<void> {
  const broken = await commit(db, writes);
  if (broken !== undefined) throw broken.rejection();
}

/**
 * Stores all of `writes`. Where a condition fails, it stores none of them and answers the write with that condition.
 * Counts on one item, or of one group, are merged first. A collision with another transaction and throttling are tried again with
 * jitter. Where DynamoDB's answer is lost, the client repeats the call, and its token makes DynamoDB give the first answer
 * again, instead of applying the call twice.
 * @throws Busy where collisions or throttling lasted too long; nothing is stored then
 */
export const commit = (db: Database, writes: readonly Write[]): Promise<Conditional | undefined> =>
  inBudget(() => attemptCommit(db, writes));

async function attemptCommit(db: Database, writes: readonly Write[]): Promise<Conditional | undefined> {
  const items = merged(writes);
  if (items === undefined) throw new Error("two writes of one transaction touch the same item");
  if (items.length === 0) return undefined;
  if (items.length > transactionLimit) throw new Error(`${items.length} writes do not fit one transaction`);
  for (let attempt = 1; ; attempt += 1) {
    const token = randomUUID();
    try {
      const TransactItems = items.map((write) => transactItem(db, spread(db, write)));
      await db.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }));
      return undefined;
    } catch (error) {
      const position = codesOf(error).indexOf("ConditionalCheckFailed");
      const broken = items[position];
      const shown = itemBeside(error, position);
      if (broken !== undefined && "rejection" in broken && !(await alignLayout(db, broken, shown)))
        return unlessInSaga(broken, shown);
      if (broken === undefined && !isPassing(error)) throw error;
      const collided = items.filter((_, index) => codesOf(error)[index] === "TransactionConflict");
      await Promise.all(collided.map((write) => markHotKey(db, write, attempt)));
      await backOff(attempt, error);
    }
  }
}

/** What kept each item of a transaction from being stored; none for an error of another kind. */
const codesOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None")
    : [];

/** The item that a rejection shows; see `expressions.ts`. */
const itemBeside = (error: unknown, position: number) =>
  error instanceof TransactionCanceledException ? error.CancellationReasons?.[position]?.Item : undefined;

/** The write whose condition fails. If a saga holds its item, the rejection says so. */
function unlessInSaga(broken: Conditional, shown: ReturnType<typeof itemBeside>): Conditional {
  const saga = shown?.[sagaAttribute]?.S;
  return saga === undefined ? broken : { ...broken, rejection: () => new SagaInProgress(saga) };
}

/** Whether a transaction met a collision or throttling, and so may be stored when it is sent again. */
const isPassing = (error: unknown): boolean => codesOf(error).some((code) => transient.has(code));

/**
 * Runs `decide` (read, decide, write), and again while its conditions turn out stale.
 * @throws Busy where the records kept changing for too long
 */
export const untilFresh = <T>(decide: () => Promise<T>): Promise<T> =>
  inBudget(async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await decide();
      } catch (error) {
        if (!(error instanceof Stale)) throw error;
        await backOff(attempt, error);
      }
    }
  });

/** Stores what is worth no second try. @returns whether it is stored: not where its conditions turn out stale */
export async function unlessStale(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (error instanceof Stale) return false;
    throw error;
  }
}
