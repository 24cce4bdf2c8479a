import { InternalServerError, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import type { Service } from "../runtime/service.ts";

/**
 * Something else that happens while a call is under way: before it is carried out, or before its answer
 * comes.
 */
type Meanwhile = { readonly before: () => Promise<unknown> } | { readonly after: () => Promise<unknown> };

/** What becomes of a call: refused for a conflict, failed, carried out with its answer lost, or overtaken. */
export type Trouble = "conflict" | "error" | "lose-response" | Meanwhile;

/** Which calls meet trouble. */
interface Which {
  /** The first so many; one without. */
  readonly times?: number;
  /** Those that have this in what they ask for. */
  readonly text?: string;
  /** Transactions, without. */
  readonly command?: "TransactWriteItems" | "GetItem" | "BatchGetItem" | "Query" | "UpdateItem" | "any";
}

interface Rule extends Required<Omit<Which, "times">> {
  readonly trouble: Trouble;
  times: number;
}

/**
 * The tables as `service.db` shows them, with trouble on the way: the runtime's faults strike functions
 * alone.
 */
export interface Troubled {
  readonly db: Database;
  /** The next calls that come, of those meant, meet this. */
  add(trouble: Trouble, which?: Which): void;
  /** How many calls met trouble. */
  readonly hits: number;
  /** How many batches of items were asked for, again ones counted again. */
  readonly reads: number;
  /** How many transactions were sent, again ones counted again. */
  readonly transactions: number;
  /** Most transactions that were under way at once. */
  readonly maxConcurrent: number;
}

const transaction = "TransactWriteItemsCommand";
const batchRead = "BatchGetItemCommand";

/** A connection of its own: what is added to it strikes nothing but what the test does with it. */
export function troubledDatabase(service: Pick<Service, "connect">, ...first: readonly Trouble[]): Troubled {
  const db = service.connect();
  const state = { hits: 0, reads: 0, transactions: 0, underWay: 0, maxConcurrent: 0 };
  const rules: Rule[] = [];
  const add: Troubled["add"] = (trouble, { times = 1, text = "", command = "TransactWriteItems" } = {}) =>
    void rules.push({ trouble, times, text, command });
  for (const trouble of first) add(trouble);
  const strike = (command: string, asked: string): Trouble | undefined => {
    const meant = (rule: Rule) => rule.command === "any" || `${rule.command}Command` === command;
    const rule = rules.find((one) => one.times > 0 && meant(one) && asked.includes(one.text));
    if (rule === undefined) return undefined;
    rule.times -= 1;
    state.hits += 1;
    return rule.trouble;
  };
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context["commandName"] !== transaction) return next(args);
      state.underWay += 1;
      state.maxConcurrent = Math.max(state.maxConcurrent, state.underWay);
      return next(args).finally(() => {
        state.underWay -= 1;
      });
    },
    { step: "initialize" },
  );
  // Within the SDK's retries, as the network is.
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context["commandName"]);
      if (command === transaction) state.transactions += 1;
      if (command === batchRead) state.reads += 1;
      const trouble = strike(command, JSON.stringify(args.input));
      return trouble === undefined ? next(args) : meeting(trouble, () => next(args));
    },
    { step: "deserialize", priority: "high" },
  );
  return {
    db,
    add,
    get hits() {
      return state.hits;
    },
    get reads() {
      return state.reads;
    },
    get transactions() {
      return state.transactions;
    },
    get maxConcurrent() {
      return state.maxConcurrent;
    },
  };
}

async function meeting<T>(trouble: Trouble, send: () => Promise<T>): Promise<T> {
  const answer = { $metadata: {}, message: String(trouble) };
  switch (trouble) {
    case "conflict": {
      const CancellationReasons = [{ Code: "TransactionConflict" }];
      throw new TransactionCanceledException({ ...answer, CancellationReasons });
    }
    case "error":
      throw new InternalServerError({ ...answer, $metadata: { httpStatusCode: 500 } });
    case "lose-response":
      await send();
      throw Object.assign(new Error("socket hang up"), { name: "TimeoutError" });
    default:
      return overtaken(trouble, send);
  }
}

async function overtaken<T>(meanwhile: Meanwhile, send: () => Promise<T>): Promise<T> {
  if ("before" in meanwhile) await meanwhile.before();
  const answer = await send();
  if ("after" in meanwhile) await meanwhile.after();
  return answer;
}

/**
 * A connection of a process that is killed at its `last` call to the database, which every second time is
 * still made.
 */
export function killedAt(service: Pick<Service, "connect">, last: number): Database {
  const db = service.connect();
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

/** What changes nothing that is stored, however often it is called. */
const reads: ReadonlySet<string> = new Set(["GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"]);

/**
 * A connection of a process that dies once so many of its writes are carried out, before it hears of the last
 * one. With 0 it dies at its first write. To die at a read leaves the same behind as to die after the write
 * before it.
 */
export function dyingAfter(service: Pick<Service, "connect">, writes: number): Database {
  const db = service.connect();
  let left = writes;
  let isDead = false;
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      const isRead = reads.has(String(context["commandName"]).replace(/Command$/, ""));
      isDead ||= !isRead && left === 0;
      if (isDead) throw new Error("died");
      if (isRead) return next(args);
      left -= 1;
      const isLast = left === 0;
      const answer = await next(args);
      isDead ||= isLast;
      if (isDead) throw new Error("died");
      return answer;
    },
    { step: "deserialize", name: "die" },
  );
  return db;
}
