/**
 * Sagas: records whose writes do not fit one transaction, such as orders of many products, are stored by
 * several.
 *
 *                first transaction                 step 0 … n-1                    last step
 *   not started ───────────────────▶ in progress ───────────────▶ in progress ───────────────▶ done
 *        │        locks the items     next = 0    next = 1 … n      next = n     shows the record
 *        ▼
 *    rejected: nothing is stored
 *
 * The first transaction decides. It reserves what others could take, such as an order's number, and locks
 * each item to be changed, such as the order or a call's `Idempotency-Key`: the item's attribute `underway`
 * names the saga. With them it stores the plan, which is all that is left to write, and the progress. After
 * that no condition can fail.
 *
 * Each step is one transaction that also increments `next`, so it takes effect once, even if several callers
 * run it at the same time: the call itself, a retry, another call that meets a locked item
 * (`SagaInProgress`), or the schedule `jobs/resume-sagas`. A late caller reads the new `next` and continues
 * from there.
 *
 * Until the last step, readers see the record as it was before, or not at all. That step stores the record,
 * its counters, its lookups, its history and the call's kept response together, and removes the plan and the
 * progress. Until then, other writes of locked items fail with `SagaInProgress`. Counts have no conditions,
 * so they go on.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalid } from "../../common/problem.ts";
import { abandonedAfterMs } from "../../common/time-limits.ts";
import type { Access } from "../access.ts";
import type { Database } from "../dynamodb/database.ts";
import { joined } from "../dynamodb/keys.ts";
import { getItems, type Lookup, parsed } from "../dynamodb/reads.ts";
import { Busy, backOff, extendBudget, inBudget } from "../dynamodb/retry.ts";
import { commit, fitsTransaction } from "../dynamodb/transact.ts";
import {
  type Change,
  type Conditional,
  insertOf,
  keyOf,
  type PlannedWrites,
  removalOf,
  stampRecord,
  type Write,
} from "../dynamodb/writes.ts";
import { packSteps, planSaga, unpackSteps } from "./saga-plan.ts";

export const sagaTable = "jobs";
const table = sagaTable;

/** The access that storing and resuming sagas needs, besides access to the items that they store. */
export const sagaAccess: Access = { [table]: { "steps#": "write" } };

/** The partition of the index `queued` that lists all sagas in progress. A saga writes to it twice. */
export const queuedSagas = "steps";

export const progressLookup = (name: string): Lookup => ({ table, key: { pk: name, sk: "progress" } });
export const planLookup = (name: string): Lookup => ({ table, key: { pk: name, sk: "plan" } });

const sagaOf = ({ table, key: { pk, sk } }: Lookup): string =>
  joined("steps", JSON.stringify([table, pk, sk]));

/**
 * When a saga that begins or is postponed now counts as abandoned. Resuming one that still runs, such as an
 * operator's command, does no harm.
 */
export const nextCheck = (): string => new Date(Date.now() + abandonedAfterMs).toISOString();

/** Bytes of the largest plan after compression. An item holds 400 KB. */
const maxPlanBytes = 380_000;

/**
 * The attribute of a saga's items with the id of its run. It is no receipt: 1.0.0 stored it under this name.
 */
export const runIdAttribute = "receipt";

/** The remaining work of a saga. `runId` distinguishes it from earlier sagas of the same record. */
interface OpenWork {
  readonly name: string;
  readonly runId: string;
  readonly steps: readonly (readonly Write[])[];
}

/**
 * Stores the writes of one record: in one transaction if it holds them, else by a saga. Returns the write
 * whose condition fails, as `commit` does; nothing is stored then.
 * @throws as `commit`; but never Busy once a saga has begun, since others will finish it
 * @throws Problem `invalid`, with nothing stored, if the record is too large
 */
export async function commitRecord(db: Database, writes: PlannedWrites): Promise<Conditional | undefined> {
  if (fitsTransaction(writes)) return commit(db, writes);
  const { name, first, steps, plan } = planRecord(stampRecord(writes, db.requestId));
  if (plan === undefined) throw invalid("The record is too large to be stored");
  const runId = randomUUID();
  const begun_at = new Date().toISOString();
  const progress = {
    [runIdAttribute]: runId,
    next: 0,
    queued_shard: queuedSagas,
    check_at: nextCheck(),
    begun_at,
  };
  const failed = await commit(db, [
    ...first,
    insertOf(progressLookup(name), progress),
    insertOf(planLookup(name), { [runIdAttribute]: runId, plan }),
  ]);
  if (failed !== undefined) return failed;
  if (db.dryRun !== undefined) {
    db.dryRun.note(writes);
    return undefined;
  }
  extendBudget();
  try {
    await runSteps(db, { name, runId, steps }, 0);
  } catch (error) {
    // Busy would mean that nothing is stored.
    if (error instanceof Busy) throw new Error("the record was begun, and is stored later", { cause: error });
    throw error;
  }
  return undefined;
}

/** A record's saga, with its plan as stored; undefined if it does not fit an item or a transaction. */
function planRecord(writes: PlannedWrites) {
  const [record] = writes;
  if (record === undefined) throw new Error("the record of a saga has no writes");
  const name = sagaOf({ table: record.table, key: keyOf(record) });
  const { first, steps } = planSaga(writes, name);
  const plan = packSteps(steps);
  const fits = plan.length <= maxPlanBytes && [first, ...steps].every(fitsTransaction);
  return { name, first, steps, plan: fits ? plan : undefined };
}

/** Runs the steps from `from` on, except those that other callers have run. */
async function runSteps(db: Database, { name, runId, steps }: OpenWork, from: number): Promise<void> {
  for (let next = from; ; ) {
    const step = steps[next];
    if (step === undefined) return;
    const progress = progressWrites(name, runId, next, next === steps.length - 1);
    const failed = await commit(db, [...progress, ...step]);
    if (failed === undefined) next += 1;
    else if (keyOf(failed).pk !== name) throw new Error(`a step of ${name} was refused`);
    else {
      const found = await readSagaItems(db, name);
      if (found?.progress?.[runIdAttribute] !== runId) return;
      next = found.progress.next;
    }
  }
}

/** Increments or, last, removes the progress. It comes first, so that its condition is the one that fails. */
function progressWrites(name: string, runId: string, next: number, isLast: boolean): readonly Write[] {
  const when: Change["when"] = [
    { attribute: runIdAttribute, equals: runId },
    { attribute: "next", equals: next },
  ];
  const progress = progressLookup(name);
  return isLast
    ? [removalOf(progress, ...when), removalOf(planLookup(name))]
    : [{ kind: "change", ...progress, add: { next: 1 }, when }];
}

const progressItem = z.object({ [runIdAttribute]: primitive.text, next: primitive.int });
const planItem = z.object({ [runIdAttribute]: primitive.text, plan: z.instanceof(Uint8Array) });

/** What is stored of a saga; undefined if it is not in progress. */
export async function readSagaItems(db: Database, name: string) {
  const [progress, plan] = [progressLookup(name), planLookup(name)];
  const find = await getItems(db, [progress, plan]);
  const found = { progress: parsed(progressItem, find(progress)), plan: parsed(planItem, find(plan)) };
  return found.progress === undefined && found.plan === undefined ? undefined : found;
}

/** Runs the remaining steps. A dry run stores them as well, because another call has begun them. */
export const resumeSaga = (database: Database, name: string): Promise<void> =>
  inBudget(async () => {
    const db = database.dryRun?.connection ?? database;
    for (let attempt = 1; ; attempt += 1) {
      const found = await readSagaItems(db, name);
      if (found === undefined) return;
      const { progress, plan } = found;
      if (progress !== undefined && plan !== undefined && progress[runIdAttribute] === plan[runIdAttribute])
        return runSteps(
          db,
          { name, runId: progress[runIdAttribute], steps: unpackSteps(plan.plan) },
          progress.next,
        );
      // One transaction stores or removes both items, but a read may see one of them a moment before the
      // other.
      await backOff(attempt);
    }
  });

/** Resumes the sagas that store these records. One read if none is in progress. */
export async function resumeSagasOf(db: Database, records: readonly Lookup[]): Promise<void> {
  const names = records.map(sagaOf);
  const find = await getItems(db, names.map(progressLookup));
  for (const name of names) if (find(progressLookup(name)) !== undefined) await resumeSaga(db, name);
}
