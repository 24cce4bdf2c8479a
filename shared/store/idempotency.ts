import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { PutCommand, type PutCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Access } from "./access.ts";
import type { Database } from "./dynamodb/database.ts";
import { updateInput } from "./dynamodb/expressions.ts";
import { joined, type Key, only, storedKey } from "./dynamodb/keys.ts";
import { getItem, getItems, type Lookup } from "./dynamodb/reads.ts";
import type { Change } from "./dynamodb/writes.ts";
import { expectFirstLayout } from "./layouts/layout-writes.ts";
import { resumeSaga, resumeSagasOf } from "./sagas/saga.ts";
import { tableNames } from "./tables.ts";

const table = "jobs";

/** What a function states whose calls may carry an `Idempotency-Key`. Of steps it reads whether there are any. */
export const idempotencyAccess: Access = {
  jobs: { "idempotency#": ["read", "insert", "change"], "steps#": "read" },
};

/** How long an answer is kept, in seconds (docs/decisions.md, Retries). */
const kept = 24 * 60 * 60;

/** How long a call may run before a retry takes over, in milliseconds: longer than any function's timeout. */
const maxRunMs = 35_000;

/** Largest answer that is kept, in bytes after compression. Its item holds 400 KB, witnesses included. */
const largestKept = 380_000;

/** A call's answer as it was given. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

const proof = z.object({
  table: z.enum(tableNames),
  key: storedKey,
  receipt: z.optional(primitive.text),
});

/**
 * A record whose existence proves that a call stored it. Where another call may store a record under the same key, the
 * record's attribute `receipt` tells which call stored it.
 */
export interface Proof extends Lookup {
  readonly receipt?: string | undefined;
}

const call = z.object({
  state: z.enum(["running", "done"]),
  /** Hash of what was sent: the same key with another request is an error. */
  fingerprint: primitive.text,
  token: primitive.text,
  /** Epoch milliseconds. */
  runs_until: primitive.int,
  status: z.optional(primitive.int),
  answer: z.optional(z.instanceof(Uint8Array)),
  /** The records that prove, by their existence, which parts of an unfinished call took effect. */
  witnesses: z.optional(z.array(proof)),
  /** The steps that store the call's record, until the last of them keeps the answer. */
  underway: z.optional(primitive.text),
});
type Call = z.output<typeof call>;

/** The lock on a key that this call holds. */
export interface Lock {
  readonly key: Key;
  readonly token: string;
}

/** What became of the attempt to lock a key. */
export type LockAttempt =
  | { readonly state: "locked"; readonly lock: Lock }
  | { readonly state: "running" }
  | { readonly state: "other-request" }
  | { readonly state: "done"; readonly answer: KeptAnswer }
  /** The call died when some of its records were stored. `stored` says which, in the order of the answer. */
  | { readonly state: "partly"; readonly intended: KeptAnswer; readonly stored: readonly boolean[] };

/**
 * Locks `name` for a request with this `fingerprint`, or says how an earlier call used the name.
 * A call that died leaves its lock, which runs out after the longest time that a function can take. After that, what
 * counts are the records of the answer that the dead call intended. If all are stored, the key has that answer. If some
 * are, the attempt says which. If none is, this call takes over.
 */
export async function lock(db: Database, name: string, fingerprint: string): Promise<LockAttempt> {
  const key: Key = { pk: joined("idempotency", name), sk: only };
  const token = randomUUID();
  const fresh = await put(db, { key, token }, fingerprint, {
    ConditionExpression: "attribute_not_exists(pk) OR expires_at < :seconds",
    ExpressionAttributeValues: { ":seconds": Math.floor(Date.now() / 1000) },
  });
  if (fresh !== undefined) return { state: "locked", lock: fresh };
  const item = await getItem(db, { table, key });
  if (item === undefined) return { state: "running" };
  const earlier = z.parse(call, item);
  // The lock is this call's own: the database's answer to the write was lost, and the client sent the write again.
  if (earlier.token === token) return { state: "locked", lock: { key, token } };
  if (earlier.fingerprint !== fingerprint) return { state: "other-request" };
  if (earlier.underway !== undefined) {
    await resumeSaga(db, earlier.underway);
    return lock(db, name, fingerprint);
  }
  if (earlier.state === "done") return { state: "done", answer: answerOf(earlier) };
  if (earlier.runs_until > Date.now()) return { state: "running" };
  const stored = await storedProofs(db, earlier);
  if (stored.includes(true)) {
    const answer = answerOf(earlier);
    return stored.includes(false) ? { state: "partly", intended: answer, stored } : { state: "done", answer };
  }
  const takenOver = await put(db, { key, token }, fingerprint, {
    ConditionExpression: "#token = :token AND #state = :running AND attribute_not_exists(underway)",
    ExpressionAttributeNames: { "#token": "token", "#state": "state" },
    ExpressionAttributeValues: { ":token": earlier.token, ":running": "running" },
  });
  return takenOver === undefined ? { state: "running" } : { state: "locked", lock: takenOver };
}

async function put(
  db: Database,
  { key, token }: Lock,
  fingerprint: string,
  condition: Pick<
    PutCommandInput,
    "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >,
): Promise<Lock | undefined> {
  expectFirstLayout(db, { table, key });
  const now = Date.now();
  const run = { state: "running", fingerprint, token, runs_until: now + maxRunMs };
  const Item = { ...key, ...run, expires_at: Math.floor(now / 1000) + kept };
  const input = { TableName: db.tableName(table), Item, ...condition };
  return (await holds(db.client.send(new PutCommand(input)))) ? { key, token } : undefined;
}

const answerOf = ({ status = 200, answer }: Call): KeptAnswer => ({
  status,
  body: answer === undefined ? "" : gunzipSync(answer).toString(),
});

/** Which of a dead call's records are stored. Those that it left behind in steps are finished first. */
async function storedProofs(db: Database, { witnesses = [] }: Call): Promise<readonly boolean[]> {
  await resumeSagasOf(db, witnesses);
  const find = await getItems(db, witnesses);
  return witnesses.map((proof) => {
    const found = find(proof);
    return found !== undefined && (proof.receipt === undefined || found["receipt"] === proof.receipt);
  });
}

/** Keeps a transaction from being stored where a retry has taken the key over from a call that took too long. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** A change of the item of a lock. It is refused once a retry has taken the key over. */
const change = ({ key, token }: Lock, set: Record<string, unknown>): Change => ({
  kind: "change",
  table,
  key,
  set,
  when: [{ attribute: "token", equals: token }],
  rejection: () => new Overtaken("a retry has taken over the call's Idempotency-Key"),
});

const send = (db: Database, held: Lock, set: Record<string, unknown>): Promise<unknown> =>
  db.client.send(new UpdateCommand(updateInput(db, change(held, set))));

/**
 * Notes the answer that a call will give once all `witnesses` are stored. Should the call die after that, a retry finds
 * the witnesses, and is given this answer instead of running again. An answer that is too large to keep is not noted.
 * @throws where the lock ran out and was taken over: this call must not go on
 */
export async function recordIntendedResponse(
  db: Database,
  held: Lock,
  { status, body }: KeptAnswer,
  witnesses: readonly Proof[],
): Promise<void> {
  const answer = gzipSync(body);
  if (answer.length > largestKept) return;
  await send(db, held, { status, answer, witnesses });
}

/**
 * Keeps a call's answer as part of the one transaction that the call stores: either both are stored or neither. The
 * transaction fails where the lock ran out and was taken over. There is no write for an answer that is too large.
 */
export function settlement(held: Lock, { status, body }: KeptAnswer): readonly Change[] {
  const answer = gzipSync(body);
  return answer.length > largestKept ? [] : [change(held, { state: "done", status, answer })];
}

/** Keeps a call's answer. A lock that ran out and was taken over is left to its new owner. */
export async function settle(db: Database, held: Lock, { status, body }: KeptAnswer): Promise<void> {
  await holds(send(db, held, { state: "done", status, answer: gzipSync(body) }));
}

/** Ends a call that has no answer to keep. A retry runs again at once, unless witnesses of the call are found stored. */
export async function abandon(db: Database, held: Lock): Promise<void> {
  await holds(send(db, held, { runs_until: 0 }));
}

/** Whether the condition of a write held. It counts as broken where the key's holder is storing its transaction. */
async function holds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException)
      return false;
    throw error;
  }
}
