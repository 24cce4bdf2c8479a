import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod/mini";
import type { WorkerContract } from "../lambda/contract.ts";
import { database } from "../lambda/database.ts";
import { beginHandler } from "../lambda/handler.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import { logger } from "../lambda/log.ts";
import type { Access } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy, withBudget } from "../store/dynamodb/retry.ts";
import { type Applies, applyJob, applyJobs, type DeliveredJob, type JobOutcome } from "./apply.ts";
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

/** How long jobs may take that are applied together, in milliseconds. */
const together = {
  /** One that hangs holds up all of them. After this, one that hangs alone still leaves time for the others. */
  limitMs: 5_000,
  /** For waiting for other writers before any of the jobs is stored: one busy item holds up all of them. */
  retryBudgetMs: 500,
};

/**
 * How long a job may take that is applied alone, in milliseconds: its waiting for other writers, and a call to the database
 * that hangs and is sent again. If its transaction is stored after that, it does no harm.
 */
const aloneLimitMs = 9_000;

/** What must remain of a worker's 30 s for a job to begin, in milliseconds. The rest is for sending others back. */
const minRemainingMs = aloneLimitMs + 6_000;

/** What the messages of one batch are handled with. */
interface Surroundings {
  readonly db: Database;
  /** How long the worker may still run, in milliseconds. */
  readonly remaining: () => number;
  /** Sends texts to the worker's own queue, and answers the positions of those that could not be sent. */
  readonly sendTexts: (job: JobKind, texts: readonly string[]) => Promise<readonly number[]>;
  /** A shorter time limit, in milliseconds. */
  readonly limitMs?: number;
}

/** A message, and the job that it names, unless it can't be read. */
interface Message<P> {
  readonly record: SQSRecord;
  readonly job: DeliveredJob<P> | undefined;
}

/**
 * The Lambda handler of a worker. The transaction that applies a job requires its record to be queued. So a message that is
 * delivered twice changes nothing the second time. A message that fails goes back to the queue alone.
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
 * Applies the jobs of a batch of messages: as many as possible together, then each of the others alone while there is time.
 * The messages of those that did not begin are sent anew, since a message that is given back has lost one of its deliveries.
 * @returns the messages that are given back
 */
export async function applyBatch<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, remaining, sendTexts, limitMs = aloneLimitMs }: Surroundings,
): Promise<SQSBatchResponse> {
  const messages = records.map((record): Message<P> => ({ record, job: readJob(worker, record) }));
  // Two messages of a batch may name the same job.
  const open = new Map(
    messages.flatMap(({ job }) => (job === undefined ? [] : [[job.job_id, job] as const])),
  );
  if (open.size > 1) {
    const ended = await applyMost(worker, db, [...open.values()], Math.min(limitMs, together.limitMs));
    for (const id of ended) open.delete(id);
  }
  const unbegun = new Map(open);
  for (const [id, job] of unbegun) {
    if (remaining() < minRemainingMs) break;
    unbegun.delete(id);
    if (await applyAlone(worker, db, job, limitMs)) open.delete(id);
  }
  const isUnbegun = ({ job }: Message<P>): boolean => job !== undefined && unbegun.has(job.job_id);
  const left = messages.filter(({ job }) => job === undefined || open.has(job.job_id));
  const unsent = await sendAnew(worker.job, left.filter(isUnbegun), sendTexts);
  const givenBack = [...left.filter((message) => !isUnbegun(message)), ...unsent];
  return { batchItemFailures: givenBack.map(({ record }) => ({ itemIdentifier: record.messageId })) };
}

/** The job that a message names; undefined if the message can't be read, which is logged. */
function readJob<P>({ job, payload: schema }: Worker<P>, record: SQSRecord): DeliveredJob<P> | undefined {
  try {
    const { job_id, by, payload } = readMessage(record.body);
    const attempts = Number(record.attributes.ApproximateReceiveCount);
    return { job_id, by, payload: readPayload(schema, job_id, payload), attempts };
  } catch (error) {
    report(error, { job, message_id: record.messageId });
    return undefined;
  }
}

/** Applies jobs together, within a time limit. @returns the ids of those that have ended; an error leaves the others open */
async function applyMost<P>(
  worker: Worker<P>,
  db: Database,
  jobs: readonly DeliveredJob<P>[],
  limitMs: number,
): Promise<readonly number[]> {
  const warn = (error: unknown) => logger.warn("jobs not applied together", { error, job: worker.job });
  try {
    const applying = withBudget(() => applyJobs(worker, db, jobs), together.retryBudgetMs);
    const { ended, failure } = await withinLimit(limitMs, applying);
    if (failure !== undefined) warn(failure.error);
    for (const job of jobs) logOutcome(worker, job, ended.get(job.job_id));
    return [...ended.keys()];
  } catch (error) {
    warn(error);
    return [];
  }
}

/** Applies one job, within a time limit. @returns whether it has ended */
async function applyAlone<P>(
  worker: Worker<P>,
  db: Database,
  job: DeliveredJob<P>,
  limitMs: number,
): Promise<boolean> {
  try {
    logOutcome(worker, job, await withinLimit(limitMs, applyJob(worker, db, job)));
    return true;
  } catch (error) {
    report(error, { job: worker.job, job_id: job.job_id });
    return false;
  }
}

function logOutcome<P>({ job }: Worker<P>, { job_id, attempts }: DeliveredJob<P>, status?: JobOutcome): void {
  if (status !== undefined) logger.info("job", { job, job_id, status, attempts });
}

/** Logs why a message is given back. Errors take back new code that is being tried out; a warning does not. */
function report(error: unknown, fields: Readonly<Record<string, string | number>>): void {
  if (error instanceof Busy)
    logger.warn("job not applied, as others hold what it changes", { error, ...fields });
  else if (error instanceof FromOtherRelease)
    logger.warn("job left for the release that accepted it", { error, ...fields });
  else logger.error("job not applied", { error, ...fields });
}

/** Sends messages to the end of the queue. @returns those that could not be sent */
async function sendAnew<P>(
  job: JobKind,
  messages: readonly Message<P>[],
  sendTexts: Surroundings["sendTexts"],
): Promise<readonly Message<P>[]> {
  if (messages.length === 0) return [];
  const texts = messages.map(({ record }) => record.body);
  const lost = await sendTexts(job, texts);
  logger.warn("jobs sent anew, as no time was left for them", {
    job,
    count: texts.length,
    lost: lost.length,
  });
  return messages.filter((_, position) => lost.includes(position));
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
