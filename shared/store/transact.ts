import { randomUUID } from "node:crypto";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import { transactItem } from "./expressions.ts";
import { backOff } from "./retry.ts";
import { type Conditional, merged, Stale, Underway, underway, type Write } from "./writes.ts";

/** DynamoDB's limit of items in one transaction. */
export const transactionLimit = 100;

/** DynamoDB's limit of bytes in one transaction. */
export const largestTransaction = 4_000_000;

/**
 * How long a collision is tried again, in milliseconds: about 25 attempts. Twenty writers on one item, whose
 * transactions take 12 ms each, collide 1.5 times for each success. A Lambda of 29 s still has time to answer.
 */
const patience = 12_000;

const transient = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/** Whether one transaction holds all of `writes`. */
export function fitsTransaction(writes: readonly Write[]): boolean {
  const items = merged(writes);
  return items !== undefined && items.length <= transactionLimit;
}

/**
 * Stores all of `writes` or none of them.
 * @throws the `refusal` of the write whose premise does not hold
 */
export async function transact(db: Database, writes: readonly Write[]): Promise<void> {
  const broken = await commit(db, writes);
  if (broken !== undefined) throw broken.refusal();
}

/**
 * Stores all of `writes`. Where a premise is broken, it stores none of them and answers the write with that premise.
 * Counts on one item are merged first. A collision with another transaction and throttling are tried again with
 * jitter. Where DynamoDB's answer is lost and the call is repeated, the token makes DynamoDB give the first answer
 * again, instead of applying the call twice.
 * @throws DynamoDB's error; `isPassing` tells one that lasted from others
 */
export async function commit(db: Database, writes: readonly Write[]): Promise<Conditional | undefined> {
  const items = merged(writes);
  if (items === undefined) throw new Error("two writes of one transaction touch the same item");
  if (items.length === 0) return undefined;
  if (items.length > transactionLimit) throw new Error(`${items.length} writes do not fit one transaction`);
  const token = randomUUID();
  const started = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const TransactItems = items.map((write) => transactItem(db, write));
      await db.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }));
      return undefined;
    } catch (error) {
      const position = codesOf(error).indexOf("ConditionalCheckFailed");
      const broken = items[position];
      if (broken !== undefined && "refusal" in broken) return unlessUnderway(broken, error, position);
      if (!isPassing(error) || performance.now() - started > patience) throw error;
      await backOff(attempt);
    }
  }
}

/** What kept each item of a transaction from being stored; none for an error of another kind. */
const codesOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None")
    : [];

/** The write whose premise is broken. Where its item is held for a record in steps, its refusal says so. */
function unlessUnderway(broken: Conditional, error: unknown, position: number): Conditional {
  if (!(error instanceof TransactionCanceledException)) return broken;
  const steps = error.CancellationReasons?.[position]?.Item?.[underway]?.S;
  return steps === undefined ? broken : { ...broken, refusal: () => new Underway(steps) };
}

/** Whether an error of `commit` says that a collision or throttling outlasted it, and so may be gone later. */
export const isPassing = (error: unknown): boolean => codesOf(error).some((code) => transient.has(code));

/** Times that a decision is made at most: once, and again when the records that it was based on have changed. */
export const mostDecisions = 12;

/** Runs `decide` (read, decide, write), and again while its premises turn out stale: `mostDecisions` times at most. */
export async function untilFresh<T>(decide: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof Stale) || attempt >= mostDecisions) throw error;
      await backOff(attempt);
    }
  }
}
