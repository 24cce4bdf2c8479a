import type * as z from "zod/mini";
import type { Database } from "../store/dynamodb/database.ts";
import { type FindItem, getItems, type Lookup } from "../store/dynamodb/reads.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import type { Condition, Write } from "../store/dynamodb/writes.ts";
import { storeRecord, untilSettled } from "../store/sagas/saga.ts";
import { findJob, finishApplied, finishFailed, JobFinished } from "./job-repository.ts";
import { readPayload } from "./message.ts";

/**
 * The writes that apply a job; or why the job can't be applied; or the jobs of the same kind, accepted before it, that are
 * to be applied first. A job fails only under the `conditions` on what its acceptance had changed (`Undoing`).
 */
export type JobPlan =
  | { readonly writes: readonly Write[] }
  | { readonly failed: string; readonly conditions?: readonly Condition[] }
  | { readonly first: readonly number[] };

/** What a worker is given to plan one job. */
export interface Assignment<P> {
  readonly jobId: number;
  readonly payload: P;
  /** Who asked for the job. */
  readonly by: string;
  /** When the job is applied, ISO 8601 UTC. */
  readonly now: string;
}

/** How the jobs of one kind are applied. */
export interface Applies<P> {
  /** The payloads that this release knows. Others are left for the release that accepted them; see `readPayload`. */
  readonly payload: z.ZodMiniType<P>;
  /** The items that a job is planned on. */
  readonly reads: (payload: P) => readonly Lookup[];
  /** Answers what to write, given what was read. It must be refused where those items changed so that the plan would be wrong. */
  readonly plan: (assignment: Assignment<P>, find: FindItem) => JobPlan;
}

/** Most jobs that one delivery of another applies first: few enough for the time of a job. The next delivery takes more. */
const maxEarlier = 100;

/** A job that is to be applied. */
export interface Delivered<P> extends Omit<Assignment<P>, "now"> {
  /** Deliveries of its message, this one counted. */
  readonly attempts: number;
}

/**
 * Applies a queued job, or ends it as failed; answers which.
 * @throws JobFinished where the job is not queued any more; Busy also where too many jobs come before it
 */
export const applyJob = <P>(
  worker: Applies<P>,
  db: Database,
  job: Delivered<P>,
): Promise<"applied" | "failed"> => {
  const { jobId, attempts } = job;
  return untilSettled(db, async () => {
    const at = new Date().toISOString();
    const plan = worker.plan({ ...job, now: at }, await getItems(db, worker.reads(job.payload)));
    if ("first" in plan) {
      for (const earlier of plan.first.slice(0, maxEarlier))
        await applyEarlier(worker, db, earlier, attempts);
      if (plan.first.length > maxEarlier) throw new Busy(new Error("too many jobs come before this one"));
      return applyJob(worker, db, job);
    }
    if ("failed" in plan) {
      await endFailed(db, jobId, plan.failed, attempts, plan.conditions);
      return "failed";
    }
    await storeRecord(db, [...plan.writes, finishApplied(jobId, { at, attempts })]);
    return "applied";
  });
};

/**
 * Applies a job that another one needs, whose own message may come later. Nothing changes where it is finished.
 * @throws Busy where it is not stored yet: the call that accepts it is under way; FromOtherRelease if its payload is unknown
 */
async function applyEarlier<P>(
  worker: Applies<P>,
  db: Database,
  jobId: number,
  attempts: number,
): Promise<void> {
  const job = await findJob(db, jobId);
  if (job === undefined) throw new Busy(new Error(`job ${jobId} is not stored yet`));
  if (job.status !== "queued") return;
  try {
    const payload = readPayload(worker.payload, jobId, job.payload);
    await applyJob(worker, db, { jobId, by: job.by, payload, attempts });
  } catch (error) {
    if (!(error instanceof JobFinished)) throw error;
  }
}

/**
 * Ends a queued job as failed, and undoes what accepting it had changed.
 * @throws JobFinished where it is not queued any more; Stale where a condition does not hold
 */
async function endFailed(
  db: Database,
  jobId: number,
  reason: string,
  attempts: number,
  conditions?: readonly Condition[],
): Promise<void> {
  const job = await findJob(db, jobId);
  if (job?.status !== "queued") throw new JobFinished();
  const at = new Date().toISOString();
  await storeRecord(db, finishFailed(job, reason, { at, attempts }, conditions));
}
