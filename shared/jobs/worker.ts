import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod/mini";
import type { WorkerContract } from "../lambda/contract.ts";
import { database } from "../lambda/database.ts";
import { beginHandler } from "../lambda/handler.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import { type Fields, logger } from "../lambda/log.ts";
import type { Access } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy, withBudget } from "../store/dynamodb/retry.ts";
import { type Applies, applyJob, type Delivered } from "./apply-job.ts";
import { applyTogether } from "./apply-together.ts";
import { JobFinished } from "./job-repository.ts";
import { FromOtherRelease, readMessage, readPayload } from "./message.ts";
import { sendTexts } from "./send.ts";

/** States the worker of one kind of job. */
export interface Worker<P> extends WorkerContract, Applies<P> {}

export const defineWorker = <P>(
  contract: {
    readonly job: WorkerContract["job"];
    readonly payload: z.ZodMiniType<P>;
    readonly access: Access;
  },
  { reads, plan }: Pick<Worker<P>, "reads" | "plan">,
): Worker<P> => ({
  ...contract,
  type: "worker",
  sends: [contract.job],
  reads,
  plan,
});

/**
 * Longest that a job may take, in milliseconds: all its waiting for others, and a call to the database that hangs and
 * is sent again. A job that takes longer fails alone. Should its transaction be stored after all, that does no harm.
 */
const jobLimit = 9_000;

/**
 * Longest that jobs which are applied together may take, in milliseconds. One that hangs holds up all of them. After this, a
 * job that hangs on its own still leaves time for the others to begin.
 */
const limitTogether = 5_000;

/**
 * How long jobs that are applied together may wait for others before one of them is stored, in milliseconds. A busy item holds
 * up all of these jobs. One by one, only the job that changes the item waits.
 */
const patienceTogether = 500;

/** What must remain of a worker's 30 s for a job to begin, in milliseconds. The rest is for sending others back. */
const minRemainingMs = jobLimit + 6_000;

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
 * is still queued. So a message that is delivered twice changes nothing the second time. Jobs that share an item, such as a
 * bin, are applied one after another, so that they do not collide. A message that fails goes back to the queue alone.
 *
 * Only the worker's plan ends a job as failed. If an error strikes all deliveries of a message (`maxDeliveries`), the message goes
 * to the dead-letter queue, which raises an alarm, and the job stays queued until it is sent again: by the sweeper or an operator.
 */
export const workerLambda = <P>(worker: Worker<P>) =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return applyBatch(worker, Records, { db: await database(), remaining, sendTexts });
  });

/**
 * Applies the jobs of a batch: most of them together, and the rest one after another, as long as there is time for another.
 * The messages of those that did not begin are sent anew, since a message that is given back has lost one of its deliveries.
 * @returns the messages that are given back
 */
export async function applyBatch<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, remaining, sendTexts, limit = jobLimit }: Surroundings,
): Promise<SQSBatchResponse> {
  const failed: SQSRecord[] = [];
  const rest = await applyMost(worker, records, { db, limit });
  for (const [position, record] of rest.entries()) {
    if (remaining() < minRemainingMs) {
      failed.push(...(await sendAnew(worker.job, rest.slice(position), sendTexts)));
      break;
    }
    try {
      await withinLimit(limit, applyOnce(worker, record, db));
    } catch (error) {
      report(error, { job: worker.job, message_id: record.messageId });
      failed.push(record);
    }
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Logs why a message is given back. Errors take back new code that is being tried out; a warning does not. */
function report(error: unknown, fields: Fields): void {
  if (error instanceof Busy)
    logger.warn("job not applied, as others hold what it changes", { error, ...fields });
  else if (error instanceof FromOtherRelease)
    logger.warn("job left for the release that accepted it", { error, ...fields });
  else logger.error("job not applied", { error, ...fields });
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
async function withinLimit<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLong = async (): Promise<never> => {
    await sleep(milliseconds, undefined, { signal: ended.signal });
    throw new Error(`it took more than ${milliseconds} ms`);
  };
  try {
    return await Promise.race([work, tooLong()]);
  } finally {
    ended.abort();
  }
}

/**
 * Applies those jobs of a batch that go together; answers the others' messages. What goes wrong here is met again, and then
 * handled, where these are applied one by one.
 */
async function applyMost<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, limit }: { readonly db: Database; readonly limit: number },
): Promise<readonly SQSRecord[]> {
  const jobs = readable(worker, records);
  const warn = (error: unknown) => logger.warn("jobs not applied together", { error, job: worker.job });
  try {
    const applying = withBudget(() => applyTogether(worker, db, [...jobs.values()]), patienceTogether);
    const { applied, stopped } = await withinLimit(Math.min(limit, limitTogether), applying);
    if (stopped !== undefined) warn(stopped.error);
    for (const job of applied) told(worker, job, "applied");
    return records.filter((record) => {
      const job = jobs.get(record);
      return job === undefined || !applied.has(job);
    });
  } catch (error) {
    warn(error);
    return records;
  }
}

/** The jobs of the messages that can be read. The others fail in their turn. */
function readable<P>(worker: Worker<P>, records: readonly SQSRecord[]): ReadonlyMap<SQSRecord, Delivered<P>> {
  const jobs = new Map<SQSRecord, Delivered<P>>();
  for (const record of records) {
    try {
      jobs.set(record, jobIn(worker, record));
    } catch {}
  }
  return jobs;
}

const deliveries = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount);

/** The job that a message is about. @throws as `readMessage` and `readPayload` */
function jobIn<P>(worker: Worker<P>, record: SQSRecord): Delivered<P> {
  const { job_id: jobId, by, payload } = readMessage(record.body);
  return { jobId, by, payload: readPayload(worker.payload, jobId, payload), attempts: deliveries(record) };
}

const told = <P>({ job }: Worker<P>, { jobId, attempts }: Delivered<P>, status: "applied" | "failed"): void =>
  logger.info("job", { job, job_id: jobId, status, attempts });

async function applyOnce<P>(worker: Worker<P>, record: SQSRecord, db: Database): Promise<void> {
  const job = jobIn(worker, record);
  try {
    told(worker, job, await applyJob(worker, db, job));
  } catch (error) {
    if (!(error instanceof JobFinished)) throw error;
    const { jobId, attempts } = job;
    logger.info("job was finished before", { job: worker.job, job_id: jobId, attempts });
  }
}
