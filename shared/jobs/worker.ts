import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod/mini";
import { mostDeliveries, type WorkerContract } from "../contract.ts";
import { beginHandler } from "../handler.ts";
import { logger } from "../log.ts";
import { type Access, together, withLists } from "../store/access.ts";
import { type Database, database } from "../store/database.ts";
import type { JobKind } from "../store/job-kinds.ts";
import { JobFinished } from "../store/jobs.ts";
import { Busy, patienceAtEnd, withBudget } from "../store/retry.ts";
import { untilSettled } from "../store/steps.ts";
import { type Applies, applyJob, endFailed } from "./apply-job.ts";
import { readMessage } from "./message.ts";
import { sendTexts } from "./send.ts";

/** States the worker of one kind of job. */
export interface Worker<P> extends WorkerContract, Applies<P> {}

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
  sends: [contract.job],
  access: together(withLists(contract.access), { jobs: { "job#": ["read", "change"] } }),
  apply,
});

/**
 * Longest that a job may take, in milliseconds: all its waiting for others, and a call to the database that hangs and
 * is sent again. A job that takes longer fails alone. Should its transaction be stored after all, that does no harm.
 */
const jobLimit = 9_000;

/** What must remain of a worker's 30 s for a job to begin, in milliseconds. The rest is for sending others back. */
const leastRemaining = jobLimit + 6_000;

/** What the messages of one batch are handled with. */
interface Surroundings {
  readonly db: Database;
  /** How long the worker may still run, in milliseconds. */
  readonly remaining: () => number;
  /** Sends texts to the worker's own queue, and answers the positions of those that could not be sent. */
  readonly sendTexts: (job: JobKind, texts: readonly string[]) => Promise<readonly number[]>;
  readonly limit?: number;
}

/**
 * The Lambda handler of a worker. A job is applied together with its record (see `storeRecord`), on the condition that the record
 * is still queued. So a message that is delivered twice changes nothing the second time. Messages are handled one after
 * another, so that those of one bin do not collide. A message that fails goes back to the queue alone.
 */
export const workerLambda = <P>(worker: Worker<P>) =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return applyBatch(worker, Records, { db: database(), remaining, sendTexts });
  });

/**
 * Applies the jobs of a batch one after another, as long as there is time for another. The messages of those that did
 * not begin are sent anew, since a message that is given back has lost one of its deliveries.
 * @returns the messages that are given back
 */
export async function applyBatch<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, remaining, sendTexts, limit = jobLimit }: Surroundings,
): Promise<SQSBatchResponse> {
  const failed: SQSRecord[] = [];
  for (const [position, record] of records.entries()) {
    if (remaining() < leastRemaining) {
      failed.push(...(await sendAnew(worker.job, records.slice(position), sendTexts)));
      break;
    }
    try {
      await withinLimit(limit, applyOnce(worker, record, db));
    } catch (error) {
      const fields = { error, job: worker.job, message_id: record.messageId };
      if (error instanceof Busy) logger.warn("job not applied, as others hold what it changes", fields);
      else logger.error("job not applied", fields);
      failed.push(record);
      if (!(error instanceof Busy)) await giveUp(worker.job, record, db);
    }
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Sends the messages to the end of the queue. Answers those that could not be sent. */
async function sendAnew(
  job: JobKind,
  records: readonly SQSRecord[],
  sendTexts: Surroundings["sendTexts"],
): Promise<readonly SQSRecord[]> {
  const texts = records.map(({ body }) => body);
  const lost = await sendTexts(job, texts);
  logger.warn("jobs sent anew, as no time was left for them", {
    job,
    count: texts.length,
    lost: lost.length,
  });
  return records.filter((_, position) => lost.includes(position));
}

/** Waits for work, unless it takes longer than `milliseconds`: then it throws, and the work goes on. */
async function withinLimit(milliseconds: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const tooLong = async () => {
    await sleep(milliseconds, undefined, { signal: ended.signal });
    throw new Error(`the job took more than ${milliseconds} ms`);
  };
  try {
    await Promise.race([work, tooLong()]);
  } finally {
    ended.abort();
  }
}

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
 * Ends the job as failed on the last delivery. Its message still goes to the dead-letter queue, where an operator can
 * see what was wrong. A message that names no job has no record to end. A job that the database was too busy for is not
 * ended: the sweeper will send it again.
 */
async function giveUp(job: JobKind, record: SQSRecord, db: Database): Promise<void> {
  const attempts = deliveries(record);
  if (attempts < mostDeliveries) return;
  try {
    const { job_id } = readMessage(record.body);
    const end = () => endFailed(db, job_id, `not applied in ${attempts} attempts`, attempts);
    await withBudget(() => untilSettled(db, end), patienceAtEnd);
  } catch (error) {
    if (error instanceof JobFinished) return;
    logger.error("job not ended", { error, job, message_id: record.messageId });
  }
}
