import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod/mini";
import { mostDeliveries, type WorkerContract } from "../contract.ts";
import { beginHandler, logger } from "../handler.ts";
import { type Database, database } from "../store/database.ts";
import type { JobKind } from "../store/job-kinds.ts";
import { finishJob, JobFinished } from "../store/jobs.ts";
import { finishing, store } from "../store/steps.ts";
import type { Access } from "../store/tables.ts";
import { transact, untilFresh } from "../store/transact.ts";
import type { Write } from "../store/writes.ts";
import { readMessage } from "./message.ts";

/** The writes that apply a job, or why the job can't be applied. */
export type JobPlan = { readonly writes: readonly Write[] } | { readonly failed: string };

/** What a worker is given to apply one job. */
export interface Assignment<P> {
  readonly db: Database;
  readonly jobId: number;
  readonly payload: P;
  /** Who asked for the job. */
  readonly by: string;
  /** When the job is applied, ISO 8601 UTC. */
  readonly now: string;
}

/** States the worker of one kind of job. */
export interface Worker<P> extends WorkerContract {
  readonly payload: z.ZodMiniType<P>;
  /** Reads what the change needs and answers what to write. Writes nothing itself. */
  readonly apply: (assignment: Assignment<P>) => Promise<JobPlan>;
}

export const defineWorker = <P>(
  contract: {
    readonly job: WorkerContract["job"];
    readonly payload: z.ZodMiniType<P>;
    readonly access: Access;
  },
  apply: Worker<P>["apply"],
): Worker<P> => ({
  ...contract,
  type: "worker",
  sends: [],
  access: { ...contract.access, jobs: "write" },
  apply,
});

/**
 * The Lambda handler of a worker. A job is applied together with its record (see `store`), on the condition that the record
 * is still queued. So a message that is delivered twice changes nothing the second time. Messages are handled one after
 * another, so that those of one bin do not collide. A message that fails goes back to the queue alone.
 */
export const workerLambda = <P>(worker: Worker<P>) =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }) => {
    const batchItemFailures: SQSBatchResponse["batchItemFailures"] = [];
    for (const record of Records) {
      try {
        await applyOnce(worker, record, database());
      } catch (error) {
        logger.error("job not applied", { error, job: worker.job, message_id: record.messageId });
        batchItemFailures.push({ itemIdentifier: record.messageId });
        await giveUp(worker.job, record, database());
      }
    }
    return { batchItemFailures };
  });

const deliveries = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount);

async function applyOnce<P>(worker: Worker<P>, record: SQSRecord, db: Database): Promise<void> {
  const { job_id: jobId, by, payload: sent } = readMessage(record.body);
  const payload = z.parse(worker.payload, sent);
  const attempts = deliveries(record);
  try {
    const status = await applyJob(worker, { db, jobId, by, payload }, attempts);
    logger.info("job", { job: worker.job, job_id: jobId, status, attempts });
  } catch (error) {
    if (!(error instanceof JobFinished)) throw error;
    logger.info("job was finished before", { job: worker.job, job_id: jobId, attempts });
  }
}

/**
 * Applies a queued job, or ends it as failed; answers which.
 * @throws JobFinished where the job is not queued any more
 */
export const applyJob = <P>(
  worker: Pick<Worker<P>, "job" | "apply">,
  assignment: Omit<Assignment<P>, "now">,
  attempts: number,
): Promise<"applied" | "failed"> => {
  const { db, jobId } = assignment;
  return untilFresh(
    finishing(db, async () => {
      const at = new Date().toISOString();
      const plan = await worker.apply({ ...assignment, now: at });
      const [writes, ending] =
        "failed" in plan
          ? ([[], { status: "failed", reason: plan.failed }] as const)
          : ([plan.writes, { status: "applied" }] as const);
      const broken = await store(db, [...writes, finishJob(worker.job, jobId, ending, { at, attempts })]);
      if (broken !== undefined) throw broken.refusal();
      return ending.status;
    }),
  );
};

/**
 * Ends the job as failed on the last delivery. Its message still goes to the dead-letter queue, where an operator can
 * see what was wrong. A message that names no job has no record to end.
 */
async function giveUp(job: JobKind, record: SQSRecord, db: Database): Promise<void> {
  const attempts = deliveries(record);
  if (attempts < mostDeliveries) return;
  try {
    const { job_id } = readMessage(record.body);
    const ending = { status: "failed", reason: `not applied in ${attempts} attempts` } as const;
    await transact(db, [finishJob(job, job_id, ending, { at: new Date().toISOString(), attempts })]);
  } catch (error) {
    if (error instanceof JobFinished) return;
    logger.error("job not ended", { error, job, message_id: record.messageId });
  }
}
