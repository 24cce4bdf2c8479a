/**
 * Bulk calls: every record is stored atomically, and records share transactions.
 *
 *   storeEach          plans each record, again while it is stale, and adds its receipt (`../idempotency.ts`)
 *     commitEach       packs the records into transactions, and runs those that touch different items at once
 *       commitRecord   stores a transaction, or by a saga what no transaction holds (`../sagas/saga.ts`)
 *
 * The caller plans what to write for each record, or why the record can't be stored. If a plan has a problem
 * while nothing is stored, the call is rejected (docs/decisions.md, Bulk calls). After that each record has
 * its own outcome. A record whose condition is stale is planned again, together with the records that build
 * on it. If it then has a problem, it fails alone.
 *
 * Transactions take the records in their order, and are as full as DynamoDB accepts. If a condition of a
 * record fails, the other records of its transaction are sent again without it and without those that build
 * on it.
 *
 * A record builds on an earlier one if it touches an item that the earlier one puts, changes or deletes.
 * Nothing builds on a count: later writes add to any value.
 *
 * An unexpected error ends the call: with this error if nothing is stored yet, else with an outcome for every
 * record. Records that are open by then may or may not be stored, and their outcomes say so.
 */
import { invalid, Problem, throwTogether } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { backOff, extendBudget, inBudget } from "../dynamodb/retry.ts";
import { commit, maxTransactionBytes, sizeOf, transactionLimit } from "../dynamodb/transact.ts";
import {
  itemKeyOf,
  mergeInto,
  mergeWrites,
  type PlannedWrites,
  rejectionOf,
  SagaInProgress,
  Stale,
  type Write,
} from "../dynamodb/writes.ts";
import type { Receipt } from "../idempotency.ts";
import { commitRecord } from "../sagas/saga.ts";

/**
 * What to write for one record and its result, or why the record can't be stored. `prerequisite` runs before
 * the writes, and stores what they need in transactions of its own. It does not run if the call is refused.
 * It must be idempotent, because it runs once for each attempt, and it is not undone if the record is not
 * stored. Several plans may share one.
 */
export type Plan<T> =
  | { readonly writes: PlannedWrites; readonly result: T; readonly prerequisite?: () => Promise<void> }
  | { readonly problem: Problem };

/** The outcome of one record. */
export type Outcome<T> = { readonly result: T } | { readonly problem: Problem };

/**
 * Plans records: returns a plan for each, in their order. `isAnythingStored` says whether an earlier attempt,
 * or an interrupted run of the call, has stored other records; a problem fails its record alone then.
 */
export type Planner<R, T> = (
  records: readonly R[],
  isAnythingStored: boolean,
) => readonly Plan<T>[] | Promise<readonly Plan<T>[]>;

/** What stores records for a call. */
export interface Receipts<T = unknown> {
  /** Whether an interrupted run of the call has stored other records. */
  readonly isStoredInPart: boolean;
  /**
   * What to store with a record, so that a retry of the call finds its result. `position` counts the records
   * given to `storeEach`, without those that an interrupted run of the call has stored.
   */
  readonly receiptOf: (position: number, result: T) => Receipt;
}

/** For work that is not retried by an Idempotency-Key. */
export const noReceipts: Receipts = { isStoredInPart: false, receiptOf: () => [] };

/**
 * Carries out a bulk call. Each record is stored with its receipt in the call.
 * @returns the outcome of each record, in their order
 * @throws Problem with everything that is wrong, if first plans have problems; Busy or the unexpected error,
 * if nothing is stored yet
 */
export const storeEach = <R, T>(
  db: Database,
  records: readonly R[],
  plan: Planner<R, T>,
  { isStoredInPart, receiptOf }: Receipts<T> = noReceipts,
): Promise<readonly Outcome<T>[]> =>
  inBudget(async () => {
    const outcomes: (Outcome<T> | undefined)[] = records.map(() => undefined);
    let open: readonly (readonly [number, R])[] = [...records.entries()];
    let isAnythingStored = isStoredInPart;
    try {
      for (let attempt = 1; open.length > 0; attempt += 1) {
        if (attempt > 1) await backOff(attempt, new Error("records kept changing under a bulk call"));
        const left = open.map(([, record]) => record);
        const planned: readonly Plan<T>[] = await plan(left, isAnythingStored);
        const plans = zip(open, planned);
        if (!isAnythingStored) expectStorable(planned, outcomes);
        const prerequisites = plans.flatMap(([, one]) => ("writes" in one ? (one.prerequisite ?? []) : []));
        for (const prerequisite of new Set(prerequisites)) await prerequisite();
        const committed = await commitEach(
          db,
          plans.map(([[position], one]) =>
            "writes" in one ? [...one.writes, ...receiptOf(position, one.result)] : [],
          ),
        );
        for (const [[[position], one], commit] of zip(plans, committed.outcomes)) {
          outcomes[position] = outcomeOf(one, commit);
          isAnythingStored ||=
            db.dryRun === undefined && commit.kind === "stored" && writesOf(one).length > 0;
        }
        if (committed.stopped !== undefined) throw committed.stopped.error;
        open = open.filter(([position]) => outcomes[position] === undefined);
        if (db.dryRun !== undefined && open.length > 0) {
          // Records are planned again from what is stored, and nothing of this call is.
          db.dryRun.restart();
          outcomes.fill(undefined);
          open = [...records.entries()];
        }
      }
    } catch (error) {
      if (!isAnythingStored) throw error;
      return outcomes.map((outcome) => outcome ?? { problem: unknownOutcome(error) });
    }
    return outcomes.filter((outcome) => outcome !== undefined);
  });

export function zip<A, B>(left: readonly A[], right: readonly B[]): readonly (readonly [A, B])[] {
  if (left.length !== right.length) throw new Error("the lists have different lengths");
  return left.flatMap((one, index) => right.slice(index, index + 1).map((other) => [one, other] as const));
}

const writesOf = <T>(plan: Plan<T>): readonly Write[] => ("writes" in plan ? plan.writes : []);

/** Undefined for a record to plan again. */
function outcomeOf<T>(plan: Plan<T>, commit: CommitOutcome): Outcome<T> | undefined {
  if ("problem" in plan) return plan;
  switch (commit.kind) {
    case "stored":
      return { result: plan.result };
    case "rejected":
      return { problem: commit.problem };
    case "open":
      return undefined;
  }
}

/**
 * The maximum number of writes of one call. They fill 120 transactions, which run one after another if all of
 * them touch the same items, and a Lambda has 29 s. An order takes two writes for each of its products; the
 * orders of a call may be 100 of 50 products or eleven of 500.
 */
export const maxCallWrites = 12_000;

/**
 * @throws Problem with the errors of all records, in the words of the first, if a plan has one; the records
 * that were `rejected` before come first. Also if there are too many writes
 */
function expectStorable(
  plans: readonly Plan<unknown>[],
  rejected: readonly (Outcome<unknown> | undefined)[],
): void {
  const isRefused = plans.some((plan) => "problem" in plan);
  const known = isRefused ? [...rejected, ...plans] : [];
  throwTogether(known.flatMap((one) => (one !== undefined && "problem" in one ? [one.problem] : [])));
  const count = plans.reduce((sum, plan) => sum + writesOf(plan).length, 0);
  if (count > maxCallWrites)
    throw invalid(
      `The call would write ${count} items, and the maximum is ${maxCallWrites}; split it into several calls`,
    );
}

/** The problem of an open record when an unexpected error ends a call that has stored others. */
const unknownOutcome = (cause: unknown): Problem =>
  new Problem(
    "invalid",
    "could not be stored just now; look for it, and send it again if it is not there",
    { isUnfinished: true },
    cause,
  );

/** The outcome of one record's writes. Open ones are planned again; `reason` is their own condition. */
type CommitOutcome =
  | { readonly kind: "stored" }
  | { readonly kind: "rejected"; readonly problem: Problem }
  | { readonly kind: "open"; readonly reason?: Stale };

interface Committed {
  /** The outcome of each record, in their order. */
  readonly outcomes: readonly CommitOutcome[];
  /**
   * The error after which no further transaction began. Concurrent transactions may have failed as well:
   * their records are open, and the first error stands for all, because a call ends with one.
   */
  readonly stopped?: { readonly error: unknown };
}

/** One record's writes, and its position among the records. */
interface PendingRecord {
  readonly writes: PlannedWrites;
  readonly position: number;
}

/**
 * Stores the writes of records in their order. A record without writes counts as stored. A saga that has an
 * item locked is resumed (`db.resumeSaga`), so that the record can be planned again.
 */
export async function commitEach(db: Database, records: readonly PlannedWrites[]): Promise<Committed> {
  const outcomes = new Map<number, CommitOutcome>();
  let pending: readonly PendingRecord[] = records.map((writes, position) => ({ writes, position }));
  let stopped: Committed["stopped"];
  while (pending.length > 0 && stopped === undefined) {
    const results = await Promise.all(
      nextBatches(pending).map((batch) =>
        commitBatch(db, batch, pending).catch((error: unknown) => ({ error })),
      ),
    );
    for (const result of results)
      if ("error" in result) stopped ??= result;
      else for (const [position, outcome] of result) outcomes.set(position, outcome);
    pending = pending.filter(({ position }) => !outcomes.has(position));
  }
  const all = records.map((_, position): CommitOutcome => outcomes.get(position) ?? { kind: "open" });
  return stopped === undefined ? { outcomes: all } : { outcomes: all, stopped };
}

/**
 * Stores a batch in one transaction or saga.
 * @returns the outcomes of records that need no further commit
 */
async function commitBatch(
  db: Database,
  batch: readonly PendingRecord[],
  pending: readonly PendingRecord[],
): Promise<readonly (readonly [number, CommitOutcome])[]> {
  const writes = batch.flatMap((entry) => entry.writes);
  const [first, ...others] = batch;
  // Only a record that is alone in its batch may be too large for a transaction.
  const failed =
    first !== undefined && others.length === 0
      ? await commitRecord(db, first.writes)
      : await commit(db, writes);
  if (failed === undefined) {
    // Parallel transactions that wait for busy items have more time from here on.
    if (writes.length > 0) extendBudget();
    return batch.map(({ position }) => [position, { kind: "stored" }]);
  }
  const failing = batch.find((entry) => guardedItems(entry.writes).includes(itemKeyOf(failed)));
  const reason = rejectionOf(failed);
  if (failing === undefined || !(reason instanceof Problem || reason instanceof Stale)) throw reason;
  if (reason instanceof SagaInProgress) await db.resumeSaga?.(db, reason.saga);
  return [
    [
      failing.position,
      reason instanceof Problem ? { kind: "rejected", problem: reason } : { kind: "open", reason },
    ],
    ...buildingOn(failing, pending).map(({ position }) => [position, { kind: "open" }] as const),
  ];
}

/** The items that writes put, change or delete. */
const guardedItems = (writes: readonly Write[]): readonly string[] =>
  writes.filter(({ kind }) => kind !== "count").map(itemKeyOf);

/** The entries after `failing` that build on it, directly or through others. */
function buildingOn(failing: PendingRecord, pending: readonly PendingRecord[]): readonly PendingRecord[] {
  const missing = new Set(guardedItems(failing.writes));
  return pending.slice(pending.indexOf(failing) + 1).filter(({ writes }) => {
    const builds = writes.some((write) => missing.has(itemKeyOf(write)));
    if (builds) for (const key of guardedItems(writes)) missing.add(key);
    return builds;
  });
}

/** With this limit, 100 records of one transaction each that touch different items take seven turns. */
const maxParallelTransactions = 16;

/** The batches to run in parallel, in order, up to the first that touches an item of another. */
function nextBatches(pending: readonly PendingRecord[]): readonly (readonly PendingRecord[])[] {
  const batches: (readonly PendingRecord[])[] = [];
  const touched = new Set<string>();
  let rest = pending;
  while (rest.length > 0 && batches.length < maxParallelTransactions) {
    const batch = firstBatch(rest);
    const writes = batch.flatMap((entry) => entry.writes);
    const keys = (mergeWrites(writes) ?? writes).map(itemKeyOf);
    if (keys.some((key) => touched.has(key))) break;
    for (const key of keys) touched.add(key);
    batches.push(batch);
    rest = rest.slice(batch.length);
  }
  return batches;
}

/** The entries, from the first on, that fit one transaction; at least one. */
function firstBatch(entries: readonly PendingRecord[]): readonly PendingRecord[] {
  const items = new Map<string, Write>();
  let isMerged = true;
  let bytes = 0;
  let count = 0;
  for (const { writes } of entries) {
    isMerged &&= mergeInto(items, writes);
    bytes += sizeOf(writes);
    const fits = isMerged && items.size <= transactionLimit && bytes <= maxTransactionBytes;
    if (count > 0 && !fits) break;
    count += 1;
  }
  return entries.slice(0, count);
}
