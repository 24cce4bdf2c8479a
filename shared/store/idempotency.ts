import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { PutCommand, type PutCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Access } from "./access.ts";
import { isStored } from "./dynamodb/change-one.ts";
import type { Database } from "./dynamodb/database.ts";
import { updateInput } from "./dynamodb/expressions.ts";
import { joined, type Key, only, storedKey } from "./dynamodb/keys.ts";
import { getItem, getItems } from "./dynamodb/reads.ts";
import type { Change } from "./dynamodb/writes.ts";
import { expectFirstLayout } from "./layouts/layout-writes.ts";
import { isStorable, resumeSaga, resumeSagasOf } from "./sagas/saga.ts";
import type { Idempotency } from "./store-once.ts";
import { tableNames } from "./tables.ts";

const table = "jobs";

/**
 * What a function needs if its calls may carry an `Idempotency-Key`. It only reads whether a saga is in
 * progress.
 */
export const idempotencyAccess: Access = {
  jobs: { "idempotency#": ["read", "insert", "change"], "steps#": "read" },
};

/** What resuming a saga needs that stores the response of a call with its record. */
export const keptResponseAccess: Access = { jobs: { "idempotency#": "change" } };

/** How long an answer is kept (docs/decisions.md, Retries). */
const keptSeconds = 24 * 60 * 60;

/** How long a call may run before a retry takes over: longer than any function's timeout. */
const maxRunMs = 35_000;

/** Bytes of the largest answer that is kept, after compression. Its item holds 400 KB, proofs included. */
const maxAnswerBytes = 380_000;

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
  /** The saga that stores the call's record and its answer. */
  underway: z.optional(primitive.text),
});
type Call = z.output<typeof call>;

/** The lock on a key that this call holds. */
interface Lock {
  readonly key: Key;
  readonly token: string;
}

/** The result of an attempt to lock a key. */
type LockAttempt =
  | { readonly state: "locked"; readonly lock: Lock }
  | { readonly state: "running" }
  | { readonly state: "other-request" }
  | { readonly state: "done"; readonly answer: KeptAnswer }
  /** The call died when some of its records were stored. `stored` says which, in the order of the answer. */
  | { readonly state: "partly"; readonly intended: KeptAnswer; readonly stored: readonly boolean[] };

/**
 * Locks `name` for a request with this `fingerprint`, or says how an earlier call used the name. A call that
 * died leaves its lock, which expires after the longest time that a function can take. Then the proofs of the
 * dead call decide: if all are stored, the key has the intended answer; if some are, the attempt says which;
 * if none is, this call takes over.
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
  // The lock is this call's own: the response to the write was lost, and the client sent it again.
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
  const Item = { ...key, ...run, expires_at: Math.floor(now / 1000) + keptSeconds };
  const input = { TableName: db.tableName(table), Item, ...condition };
  return (await isStored(db.client.send(new PutCommand(input)))) ? { key, token } : undefined;
}

const answerOf = ({ status = 200, answer }: Call): KeptAnswer => ({
  status,
  body: answer === undefined ? "" : gunzipSync(answer).toString(),
});

/** Which of a dead call's proofs are stored. Their sagas are finished first. */
async function storedProofs(db: Database, { witnesses = [] }: Call): Promise<readonly boolean[]> {
  await resumeSagasOf(db, witnesses);
  const find = await getItems(db, witnesses);
  return witnesses.map((proof) => {
    const found = find(proof);
    return found !== undefined && (proof.receipt === undefined || found["receipt"] === proof.receipt);
  });
}

/** A retry has taken over the key of a call that took too long. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** The key that a call holds. Its writes fail once a retry has taken the key over. */
export class HeldKey implements Idempotency {
  /** Whether the flow stores the response with its record. */
  isResponseKept = false;
  readonly #db: Database;
  readonly #lock: Lock;
  readonly #bodyOf: (response: object) => string;

  constructor(db: Database, lock: Lock, bodyOf: (response: object) => string) {
    this.#db = db;
    this.#lock = lock;
    this.#bodyOf = bodyOf;
  }

  readonly intend: Idempotency["intend"] = async (response, proofs) => {
    const answer = gzipSync(this.#bodyOf(response));
    if (answer.length <= maxAnswerBytes) await this.#send({ status: 200, answer, witnesses: proofs });
  };

  readonly withResponse: Idempotency["withResponse"] = (writes, response) => {
    const answer = gzipSync(this.#bodyOf(response));
    const both = [...writes, this.#change({ state: "done", status: 200, answer })];
    this.isResponseKept = answer.length <= maxAnswerBytes && isStorable(both);
    return this.isResponseKept ? both : writes;
  };

  /** Keeps the call's answer. Does nothing once the key is taken over. */
  async settle({ status, body }: KeptAnswer): Promise<void> {
    await isStored(this.#send({ state: "done", status, answer: gzipSync(body) }));
  }

  /**
   * Ends a call that has no answer to keep. A retry runs again at once, unless proofs of the call are stored.
   */
  async abandon(): Promise<void> {
    await isStored(this.#send({ runs_until: 0 }));
  }

  #change(set: Record<string, unknown>): Change {
    return {
      kind: "change",
      table,
      key: this.#lock.key,
      set,
      when: [{ attribute: "token", equals: this.#lock.token }],
      rejection: () => new Overtaken("a retry has taken over the call's Idempotency-Key"),
    };
  }

  #send(set: Record<string, unknown>): Promise<unknown> {
    return this.#db.client.send(new UpdateCommand(updateInput(this.#db, this.#change(set))));
  }
}
