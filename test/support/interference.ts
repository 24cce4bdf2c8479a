import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { connectTo } from "../../infra/demo/data.ts";
import type { Runtime } from "../../infra/local/runtime.ts";
import type { Database } from "../../shared/store/database.ts";

/** What happens to a connection's transaction, counted from 1; `send` carries it out. */
type Interference = <T>(attempt: number, send: () => Promise<T>) => Promise<T>;

/** A connection to the tables, for operations run by the test itself, and how many transactions it has sent. */
interface Interfered {
  readonly db: Database;
  readonly attempts: () => number;
}

/** A connection of which every transaction meets this. */
export function interferedBy(runtime: Runtime, interference: Interference): Interfered {
  const db = connectTo(runtime);
  let attempts = 0;
  db.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) =>
        String(commandName).startsWith("TransactWrite")
          ? interference(++attempts, () => next(args))
          : next(args),
    { step: "deserialize", name: "interference" },
  );
  return { db, attempts: () => attempts };
}

/** The first so many transactions collide with others, and are not carried out. */
export const colliding =
  (times: number): Interference =>
  async (attempt, send) => {
    if (attempt > times) return send();
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    throw new TransactionCanceledException({ message: "conflict", $metadata: {}, CancellationReasons });
  };

/** The first transaction is carried out, and the connection breaks before its answer comes. */
export const losingResponse: Interference = async (attempt, send) => {
  const answer = await send();
  if (attempt === 1) throw Object.assign(new Error("socket hang up"), { name: "TimeoutError" });
  return answer;
};

/** Something else happens between what was read for the first transaction and its being carried out. */
export const overtakenBy =
  (other: () => Promise<unknown>): Interference =>
  async (attempt, send) => {
    if (attempt === 1) await other();
    return send();
  };

/** A connection of a process that is killed at its `last` call to the database, which every second time is still made. */
export function killedAt(runtime: Runtime, last: number): Database {
  const db = connectTo(runtime);
  let calls = 0;
  db.client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls === last && last % 2 === 0) await next(args);
      if (calls >= last) throw new Error("killed");
      return next(args);
    },
    { step: "deserialize", name: "kill" },
  );
  return db;
}
