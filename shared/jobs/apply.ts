import type * as z from "zod/mini";
import type { Problem } from "../common/problem.ts";
import { commitEach, zip } from "../store/bulk/bulk.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { textOf } from "../store/dynamodb/keys.ts";
import { type FindItem, getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import {
  type Condition,
  type PlannedWrites,
  type RecordWrites,
  stale,
  stampRecord,
} from "../store/dynamodb/writes.ts";
import { findJob, finishApplied, finishFailed, JobFinished, type QueuedJob } from "./job-repository.ts";
import { readPayload } from "./message.ts";

/**
 * The writes that apply a job, why it can't be applied, or earlier jobs of the same kind that must
 * be applied first. A job fails only under the `conditions` on what its acceptance had changed (`Undoing`).
 */
export type JobPlan =
  | { readonly writes: PlannedWrites }
  | { readonly problem: Problem; readonly conditions?: readonly Condition[] }
  | { readonly first: readonly number[] };

/** How the jobs of one kind are applied. */
export interface Applies<P> {
  /**
   * The payloads that this release knows. Others remain queued for the release that accepted them; see
   * `readPayload`.
   */
  readonly payload: z.ZodMiniType<P>;
  /** The items that a job's plan depends on. */
  readonly reads: (payload: P) => readonly Lookup[];
  /**
   * Whether several jobs of a batch may be planned on one read of this item: true if a plan remains right
   * when another job of the batch has added to the item. By default they may not.
   */
  readonly shares?: (lookup: Lookup, item: RawItem | undefined) => boolean;
  /**
   * Plans a job from the items that were read. `now` (ISO 8601) is when the job is applied. The writes must
   * carry conditions that fail if a change of those items makes the plan wrong.
   */
  readonly plan: (job: QueuedJob<P>, find: FindItem, now: string) => JobPlan;
}

/** A queued job whose message was delivered. */
export interface DeliveredJob<P> extends QueuedJob<P> {
  /** Deliveries of its message, including this one; 0 if it is applied for another job before any. */
  readonly attempts: number;
}

/** How a job ended, now or before this delivery. */
export type JobOutcome = "applied" | "failed" | "finished before";

interface Applied {
  /** The jobs that ended, by id. The others are still queued. */
  readonly ended: ReadonlyMap<number, JobOutcome>;
  /** Why one of the others could not be stored, unless another writer came first. */
  readonly failure?: { readonly error: unknown };
}

/** How a job will end, and the writes that do it. */
interface Ending {
  readonly job_id: number;
  readonly outcome: JobOutcome;
  readonly writes: PlannedWrites;
}

/**
 * Maximum jobs that a delivery applies before its own job, to stay within the job's time limit. The next
 * delivery applies more.
 */
const maxEarlier = 100;

/**
 * Applies jobs with one read and as few transactions as possible. Each takes effect in one transaction with
 * its record.
 *
 * Of several jobs, those that share an item with an earlier one remain queued. So do those whose plan writes
 * only the job's record, because no condition would notice a change of the items. A job that is passed alone
 * is never left out.
 * @throws Stale if earlier jobs had to be applied first, and were; as `getItems` and the plans. None of these
 * jobs has ended then
 */
export async function applyJobs<P>(
  worker: Applies<P>,
  db: Database,
  jobs: readonly DeliveredJob<P>[],
): Promise<Applied> {
  const isAlone = jobs.length === 1;
  const find = await getItems(
    db,
    jobs.flatMap(({ payload }) => worker.reads(payload)),
  );
  const at = new Date().toISOString();
  const endings: Ending[] = [];
  for (const job of withoutSharing(worker, jobs, find)) {
    const plan = worker.plan(job, find, at);
    const isGuarded = "writes" in plan && plan.writes.length > 0;
    if (!isAlone && !isGuarded) continue;
    if ("first" in plan) {
      await applyPrerequisites(worker, db, plan.first);
      throw stale();
    }
    endings.push(await endingOf(db, job, plan, at));
  }
  return storeEndings(db, endings);
}

/**
 * Applies one job. Reads and plans again after a conflict with another writer, or once earlier jobs were
 * applied.
 * @throws Busy; as `applyJobs`
 */
export const applyJob = <P>(worker: Applies<P>, db: Database, job: DeliveredJob<P>): Promise<JobOutcome> =>
  untilFresh(db, async () => {
    const { ended, failure } = await applyJobs(worker, db, [job]);
    const outcome = ended.get(job.job_id);
    if (outcome !== undefined) return outcome;
    throw failure === undefined ? stale() : failure.error;
  });

/** The jobs that share no item with an earlier one, or only items that they may share. */
function withoutSharing<P>(
  { reads, shares }: Applies<P>,
  jobs: readonly DeliveredJob<P>[],
  find: FindItem,
): readonly DeliveredJob<P>[] {
  const taken = new Set<string>();
  return jobs.filter(({ payload }) => {
    const names = reads(payload)
      .filter((lookup) => shares?.(lookup, find(lookup)) !== true)
      .map(({ table, key }) => textOf(table, key));
    const isApart = names.every((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    return isApart;
  });
}

async function endingOf(
  db: Database,
  { job_id, request_id, attempts }: DeliveredJob<unknown>,
  plan: Exclude<JobPlan, { readonly first: unknown }>,
  at: string,
): Promise<Ending> {
  const end = { at, attempts };
  if ("writes" in plan) {
    const writes: RecordWrites = [...stampRecord(plan.writes, request_id), finishApplied(job_id, end)];
    return { job_id, outcome: "applied", writes };
  }
  const undo = (await findJob(db, job_id))?.undo;
  return {
    job_id,
    outcome: "failed",
    writes: finishFailed({ job_id, undo }, plan.problem.message, end, plan.conditions),
  };
}

async function storeEndings(db: Database, endings: readonly Ending[]): Promise<Applied> {
  const { outcomes, stopped } = await commitEach(
    db,
    endings.map(({ writes }) => writes),
  );
  const ended = new Map<number, JobOutcome>();
  let failure = stopped;
  for (const [{ job_id, outcome }, commit] of zip(endings, outcomes)) {
    if (commit.kind === "stored") ended.set(job_id, outcome);
    else if (commit.kind === "rejected") failure ??= { error: commit.problem };
    else if (commit.reason instanceof JobFinished) ended.set(job_id, "finished before");
  }
  return failure === undefined ? { ended } : { ended, failure };
}

/**
 * Applies jobs on which another one depends. Their own messages may arrive later. Finished jobs stay as they
 * are.
 * @throws Busy if one is not stored yet, because the call that accepts it is in progress, or if there are too
 * many; FromOtherRelease if a payload is unknown
 */
async function applyPrerequisites<P>(
  worker: Applies<P>,
  db: Database,
  jobIds: readonly number[],
): Promise<void> {
  for (const jobId of jobIds.slice(0, maxEarlier)) {
    const job = await findJob(db, jobId);
    if (job === undefined) throw new Busy(new Error(`job ${jobId} is not stored yet`));
    if (job.status !== "queued") continue;
    const payload = readPayload(worker.payload, jobId, job.payload);
    const { by, request_id, attempts } = job;
    await applyJob(worker, db, { job_id: jobId, by, request_id, payload, attempts });
  }
  if (jobIds.length > maxEarlier) throw new Busy(new Error("too many jobs come before this one"));
}
