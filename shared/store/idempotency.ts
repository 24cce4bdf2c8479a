/**
 * Gives a call with an `Idempotency-Key` one effect and one answer (docs/decisions.md, Retries).
 *
 * Each transaction of such a call also stores receipts: what the call answers for what the transaction
 * stores. A retry of an interrupted call reads them. What has a receipt took effect and is answered by it;
 * only the rest is carried out. `LockedKey` makes receipts; calls without a key have none.
 *
 * A call of one record or one transaction has one receipt, which holds its response (`storeOnce`). A call of
 * several records has one for each, and its response is kept at its end (`storeRest`, which leaves out the
 * records that have one).
 */
import { randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { PutCommand, type PutCommandInput } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { abandonedAfterMs } from "../common/time-limits.ts";
import type { Access } from "./access.ts";
import { changeOne, isStored } from "./dynamodb/change-one.ts";
import type { Database } from "./dynamodb/database.ts";
import { joined, type Key, only, padded, storedKey } from "./dynamodb/keys.ts";
import { getItems, queryRange, type RawItem } from "./dynamodb/reads.ts";
import { unlessStale } from "./dynamodb/transact.ts";
import {
  type Change,
  type Insert,
  insertOf,
  type PlannedWrites,
  rejectionOf,
  sagaAttribute,
} from "./dynamodb/writes.ts";
import { commitRecord, resumeSaga, resumeSagasOf } from "./sagas/saga.ts";
import { tableNames } from "./tables.ts";

/** What a call with a key stores beside a record. */
export type Receipt = readonly [] | readonly [Insert];

export interface Idempotency {
  /** Identifies the call and all of its retries; undefined without a key. */
  readonly callId: string | undefined;
  /** The results of records that an interrupted run of the call stored, by their positions in the call. */
  readonly earlier: ReadonlyMap<number, unknown>;
  /** The receipt of the record at a position, to be stored with it. */
  readonly recordReceipt: (position: number, result: unknown) => Receipt;
  /** The receipt of the call, to be stored with everything that the call stores. */
  readonly callReceipt: (response: object) => Receipt;
  /** Notes that the receipt of the call is stored, if the call succeeds. */
  readonly noteReceipt: () => void;
  /** Notes that an interrupted run stored records that carry the id of the call in place of a receipt. */
  readonly noteStored: () => void;
}

/** For calls without a key, and for work that is not a call, such as an operator's command. */
export const noIdempotencyKey: Idempotency = {
  callId: undefined,
  earlier: new Map(),
  recordReceipt: () => [],
  callReceipt: () => [],
  noteReceipt: () => undefined,
  noteStored: () => undefined,
};

/**
 * Stores a call's one record and returns its response. A retry gets `again`, which differs if `response`
 * holds a secret that is shown once and stored nowhere.
 * @throws the `rejection` of a write whose condition fails; as `commitRecord`
 */
export async function storeOnce<A extends object>(
  { db, idempotency }: { readonly db: Database; readonly idempotency: Idempotency },
  writes: PlannedWrites,
  response: A,
  again: A = response,
): Promise<A> {
  const failed = await commitRecord(db, [...writes, ...idempotency.callReceipt(again)]);
  if (failed !== undefined) throw rejectionOf(failed);
  idempotency.noteReceipt();
  return response;
}

const table = "jobs";

/** What calls with an `Idempotency-Key` need. Of a saga, they read only whether it is in progress. */
export const idempotencyAccess: Access = {
  jobs: { "idempotency#": ["read", "insert", "change"], "steps#": "read" },
};

/** What resuming a saga needs that stores the receipt of a call with its record. */
export const keptResponseAccess: Access = { jobs: { "idempotency#": "change" } };

/** How long an answer is kept (docs/decisions.md, Retries). */
const keptSeconds = 24 * 60 * 60;

/** Bytes of the largest answer that the item of a key holds, after compression. An item holds 400 KB. */
const maxAnswerBytes = 380_000;

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

const keyItem = z.lazy(() =>
  z.object({
    state: z.enum(["running", "done"]),
    /** Hash of what was sent: the same key with another request is an error. */
    fingerprint: primitive.text,
    token: primitive.text,
    /** Epoch milliseconds. */
    runs_until: primitive.int,
    expires_at: primitive.int,
    /** The token of the first run: receipts of all runs are found by it. Release 1.0.0 stored none. */
    call: z.optional(primitive.text),
    status: z.optional(primitive.int),
    answer: z.optional(z.instanceof(Uint8Array)),
    /**
     * Of release 1.0.0: the records whose existence proves that an interrupted call took effect. Release
     * 1.2.0 can drop it with all that is "of release 1.0.0" below, as keys expire a day after they are
     * stored.
     */
    witnesses: z.optional(
      z.array(z.object({ table: z.enum(tableNames), key: storedKey, receipt: z.optional(primitive.text) })),
    ),
    /** Of release 1.0.0: the saga that stores the call's record and its answer. */
    [sagaAttribute]: z.optional(primitive.text),
  }),
);
type KeyItem = z.output<typeof keyItem>;

/** The receipt of a call (`whole`), or of the record at a position of a call. */
const receiptItem = z.lazy(() =>
  z.object({
    sk: primitive.text,
    position: z.optional(primitive.int),
    answer: z.instanceof(Uint8Array),
    /** The saga that stores what the receipt is for. */
    [sagaAttribute]: z.optional(primitive.text),
  }),
);

interface Lock {
  readonly key: Key;
  readonly token: string;
  readonly callId: string;
  /** Epoch seconds at which the key and its receipts expire. */
  readonly expires_at: number;
  readonly earlier: ReadonlyMap<number, unknown>;
}

type LockAttempt =
  | { readonly state: "locked"; readonly lock: Lock }
  | { readonly state: "running" }
  | { readonly state: "other-request" }
  | { readonly state: "done"; readonly answer: KeptAnswer }
  /** Release 1.0.0 was interrupted when it had stored some of the call's records. */
  | { readonly state: "partly-stored" };

/**
 * Locks `name` for a request with this `fingerprint`, or says how an earlier call used the name:
 *
 * - no item, or an expired one: locked
 * - another fingerprint: other request
 * - state `done`, or a receipt of the whole call: done, with its answer
 * - state `running` within `abandonedAfterMs`: running
 * - state `running` for longer: the call died. This call takes over, and the receipts say what is stored.
 * - a saga or `witnesses` of release 1.0.0: done if the call's records prove it, partly stored if some do
 */
export async function lock(db: Database, name: string, fingerprint: string): Promise<LockAttempt> {
  const key: Key = { pk: joined("idempotency", name), sk: only };
  const token = randomUUID();
  const expires_at = Math.floor(Date.now() / 1000) + keptSeconds;
  const fresh: Lock = { key, token, callId: token, expires_at, earlier: new Map() };
  const isFresh = await put(db, fresh, fingerprint, {
    ConditionExpression: "attribute_not_exists(pk) OR expires_at < :seconds",
    ExpressionAttributeValues: { ":seconds": Math.floor(Date.now() / 1000) },
  });
  if (isFresh) return { state: "locked", lock: fresh };
  // The item of the key, and the receipts of its calls.
  const items = await queryRange(db, { table, pk: key.pk });
  const item = items.find(({ sk }) => sk === only);
  if (item === undefined) return { state: "running" };
  const known = z.parse(keyItem, item);
  if (known.fingerprint !== fingerprint) return { state: "other-request" };
  const saga = known[sagaAttribute];
  if (saga !== undefined) {
    await resumeSaga(db, saga);
    return lock(db, name, fingerprint);
  }
  if (known.state === "done") return { state: "done", answer: answerOf(known) };
  const { whole, earlier } = await receiptsIn(db, items, known.call);
  if (whole !== undefined) return { state: "done", answer: { status: 200, body: whole } };
  if (known.runs_until > Date.now()) return { state: "running" };
  if (known.witnesses !== undefined) {
    const stored = await storedProofs(db, known.witnesses);
    if (!stored.includes(false)) return { state: "done", answer: answerOf(known) };
    if (stored.includes(true)) return { state: "partly-stored" };
  }
  const takenOver: Lock = { ...fresh, callId: known.call ?? token, expires_at: known.expires_at, earlier };
  const isTakenOver = await put(db, takenOver, fingerprint, {
    ConditionExpression: "#token = :known AND #state = :running AND attribute_not_exists(#saga)",
    ExpressionAttributeNames: { "#state": "state", "#saga": sagaAttribute },
    ExpressionAttributeValues: { ":known": known.token, ":running": "running" },
  });
  return isTakenOver ? { state: "locked", lock: takenOver } : { state: "running" };
}

/** Also true if it is stored already: the SDK sends a write again if its response is lost. */
function put(
  db: Database,
  { key, token, callId, expires_at }: Lock,
  fingerprint: string,
  condition: Pick<
    PutCommandInput,
    "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
  >,
): Promise<boolean> {
  const run = {
    state: "running",
    fingerprint,
    token,
    call: callId,
    runs_until: Date.now() + abandonedAfterMs,
  };
  const input = {
    TableName: db.tableName(table),
    Item: { ...key, ...run, expires_at },
    ConditionExpression: `(${condition.ConditionExpression}) OR #token = :token`,
    ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, "#token": "token" },
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ":token": token },
  };
  return isStored(db.client.send(new PutCommand(input)));
}

const answerOf = ({ status = 200, answer }: KeyItem): KeptAnswer => ({
  status,
  body: answer === undefined ? "" : gunzipSync(answer).toString(),
});

/**
 * The receipts of a call among these items: the `whole` response if the call is done, else the results of its
 * stored records. Sagas that store what some are for are finished first.
 */
async function receiptsIn(db: Database, items: readonly RawItem[], callId: string | undefined) {
  const earlier = new Map<number, unknown>();
  let whole: string | undefined;
  const receipts = items
    .filter(({ sk }) => callId !== undefined && String(sk).startsWith(joined(callId, "")))
    .map((item) => z.parse(receiptItem, item));
  for (const { position, answer, [sagaAttribute]: saga } of receipts) {
    if (saga !== undefined) await resumeSaga(db, saga);
    const text = gunzipSync(answer).toString();
    if (position === undefined) whole = text;
    else earlier.set(position, JSON.parse(text));
  }
  return { whole, earlier };
}

/** Which of the records are stored that prove that a call of release 1.0.0 took effect. */
async function storedProofs(
  db: Database,
  proofs: NonNullable<KeyItem["witnesses"]>,
): Promise<readonly boolean[]> {
  await resumeSagasOf(db, proofs);
  const find = await getItems(db, proofs);
  return proofs.map((proof) => {
    const found = find(proof);
    return found !== undefined && (proof.receipt === undefined || found["receipt"] === proof.receipt);
  });
}

/** Another run of the call has stored the same. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** The key that a call holds. What another run of the call has stored can't be stored again. */
export class LockedKey {
  readonly idempotency: Idempotency;
  readonly #db: Database;
  readonly #lock: Lock;
  #isResumed: boolean;
  /** Whether the receipt of the call is stored, if the call succeeds. */
  #hasReceipt = false;

  constructor(db: Database, lock: Lock, bodyOf: (response: object) => string) {
    const { callId, earlier } = lock;
    this.#db = db;
    this.#lock = lock;
    this.#isResumed = earlier.size > 0;
    this.idempotency = {
      callId,
      earlier,
      recordReceipt: (position, result) => [
        this.#insert(padded(position), { position, answer: gzipSync(JSON.stringify(result)) }),
      ],
      callReceipt: (response) => [this.#insert("whole", { answer: gzipSync(bodyOf(response)) })],
      noteReceipt: () => {
        this.#hasReceipt = true;
      },
      noteStored: () => {
        this.#isResumed = true;
      },
    };
  }

  /** Whether an interrupted run of the call stored some of its records. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  #insert(part: string, content: object): Insert {
    const { key, callId, expires_at } = this.#lock;
    return insertOf(
      { table, key: { pk: key.pk, sk: joined(callId, part) } },
      { ...content, expires_at },
      { rejection: () => new Overtaken("another run of the call has stored this") },
    );
  }

  /**
   * Keeps the call's answer, unless its receipt holds it or a retry has taken over the key. One that is too
   * large is not kept: a retry makes it from the receipts. @throws Busy
   */
  async settle({ status, body }: KeptAnswer): Promise<void> {
    if (this.#hasReceipt && status === 200) return;
    const answer = gzipSync(body);
    if (answer.length > maxAnswerBytes) return this.abandon();
    await this.#send({ state: "done", status, answer });
  }

  /** Ends a call that has no answer to keep. A retry runs again at once. @throws Busy */
  async abandon(): Promise<void> {
    await this.#send({ runs_until: 0 });
  }

  async #send(set: Record<string, unknown>): Promise<void> {
    const { key, token } = this.#lock;
    const when = [{ attribute: "token", equals: token }] as const;
    const change: Change = { kind: "change", table, key, set, when };
    await unlessStale(() => changeOne(this.#db, change));
  }
}
