/**
 * How an interrupted command ends: its work fails at its next call of the database, and removes its files.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { Interrupted } from "./outcome.ts";

/** How long an interrupted command waits for the end of its work. */
const endingMs = 5_000;

/** A connection whose calls fail once the signal aborts. @throws Interrupted in that case, from each call */
export function untilInterrupted(db: Database, signal: AbortSignal): Database {
  const client: Database["client"] = Object.create(db.client);
  client.middlewareStack = db.client.middlewareStack.clone();
  client.middlewareStack.add((next) => async (args) => {
    if (signal.aborted) throw new Interrupted("Interrupted.");
    return next(args);
  });
  return { ...db, client };
}

/**
 * The result of work on such a connection.
 * @throws Interrupted, with what is done so far, if the signal aborts: once the work has ended or, if that
 * takes too long, while it may still store what it has begun
 */
export async function unlessInterrupted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  soFar: readonly (() => string)[],
): Promise<T> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.race([Promise.allSettled([work]), aborted.then(() => sleep(endingMs))]);
  if (signal.aborted) throw new Interrupted(["Interrupted.", ...soFar.map((words) => words())].join("\n"));
  return work;
}
