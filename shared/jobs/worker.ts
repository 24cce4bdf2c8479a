import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod/mini";
import { forEachConcurrently, inBatches } from "../common/concurrency.ts";
import type { WorkerContract } from "../runtime/contract.ts";
import { database } from "../runtime/database.ts";
import { beginHandler } from "../runtime/handler.ts";
import { logger } from "../runtime/log.ts";
import type { QueueName } from "../runtime/queue-names.ts";
import { sendTexts } from "../runtime/send-messages.ts";
import type { Access } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy, withBudget } from "../store/dynamodb/retry.ts";
import { type Applies, applyJob, applyJobs, type DeliveredJob, type JobOutcome } from "./apply.ts";
import { queuedJobs } from "./job-repository.ts";
import { FromOtherRelease, readMessage, readPayload, writeTogether } from "./message.ts";

/** The worker of one kind of job. */
export interface Worker<P> extends WorkerContract, Applies<P> {}

export const defineWorker = <P>(
  contract: {
    readonly job: WorkerContract["job"];
    readonly payload: z.ZodMiniType<P>;
    readonly access: Access;
  },
  applies: Omit<Applies<P>, "payload">,
): Worker<P> => ({
  ...contract,
  type: "worker",
  sends: [contract.job],
  ...applies,
});

/** Limits for jobs that are applied together. Times are in milliseconds. */
const batchLimits = {
  /** Jobs of a group: as many corrections as one transaction holds. So one that hangs delays few others. */
  maxJobs: 24,
  /** Groups of jobs that are applied at the same time. All of them change the counts of a list. */
  maxGroups: 3,
  /**
   * One job that hangs delays all. Afterwards enough time is left for each to be applied alone, even if one
   * hangs again.
   */
  limitMs: 5_000,
  /** For conflicts with other writers before any job is stored, because one busy item delays all jobs. */
  retryBudgetMs: 500,
};

/**
 * Limit for a job that is applied alone, in milliseconds. It allows for conflicts with other writers and for
 * one database call that hangs and is retried. A transaction that completes after the limit does no harm.
 */
const aloneLimitMs = 9_000;

/**
 * Time left of a worker's 30 s below which no job begins, in milliseconds. It includes time to send the other
 * jobs back.
 */
const minRemainingMs = aloneLimitMs + 6_000;

interface BatchEnvironment {
  readonly db: Database;
  /** Milliseconds left of the run. */
  readonly remaining: () => number;
  /** Sends texts to the worker's own queue. @returns the positions of those that were not sent */
  readonly sendTexts: (job: QueueName, texts: readonly string[]) => Promise<readonly number[]>;
  /** Overrides the time limit, in milliseconds. */
  readonly limitMs?: number;
}

/** A message and its jobs. */
interface Message<P> {
  readonly record: SQSRecord;
  readonly jobs: readonly DeliveredJob<P>[];
  /** Whether a job of the message can't be read. */
  readonly isUnreadable: boolean;
}

/**
 * The Lambda handler of a worker. The transaction that applies a job requires its record to be queued, so a
 * second delivery of a message has no effect. If a message fails, only that message returns to the queue.
 *
 * Only the worker's plan ends a job as failed. If all deliveries of a message (`maxDeliveries`) fail, the
 * message goes to the dead-letter queue, which raises an alarm. The job stays queued until the sweeper or an
 * operator resends it.
 */
export const workerLambda = <P>(worker: Worker<P>) =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return applyBatch(worker, Records, { db: await database(), remaining, sendTexts });
  });

/**
 * Applies the jobs of a batch of messages: as many as possible together, then the others one by one while
 * there is time. Jobs that did not begin are sent again, because a returned message would have used up a
 * delivery.
 * @returns the messages to return to the queue
 */
export async function applyBatch<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, remaining, sendTexts, limitMs = aloneLimitMs }: BatchEnvironment,
): Promise<SQSBatchResponse> {
  const messages = records.map((record) => readJobs(worker, record));
  // Two messages of a batch may carry the same job.
  const open = new Map(messages.flatMap(({ jobs }) => jobs.map((job) => [job.job_id, job] as const)));
  for (const id of await finishedBefore(worker, db, messages)) open.delete(id);
  const applyGroup = async (some: readonly DeliveredJob<P>[]): Promise<void> => {
    if (some.length === 1 || remaining() < minRemainingMs) return;
    const ended = await applyTogether(worker, db, some, Math.min(limitMs, batchLimits.limitMs));
    for (const id of ended) open.delete(id);
  };
  await forEachConcurrently(
    inBatches([...open.values()], batchLimits.maxJobs),
    applyGroup,
    batchLimits.maxGroups,
  );
  const unbegun = new Map(open);
  for (const [id, job] of unbegun) {
    if (remaining() < minRemainingMs) break;
    unbegun.delete(id);
    if (await applyAlone(worker, db, job, limitMs)) open.delete(id);
  }
  const isUnbegun = ({ job_id }: DeliveredJob<P>): boolean => unbegun.has(job_id);
  const unsent = await sendAgain(worker.job, messages, isUnbegun, sendTexts);
  const givenBack = messages.filter(
    (message) =>
      message.isUnreadable ||
      unsent.includes(message) ||
      message.jobs.some((job) => open.has(job.job_id) && !isUnbegun(job)),
  );
  return { batchItemFailures: givenBack.map(({ record }) => ({ itemIdentifier: record.messageId })) };
}

/**
 * The jobs that an earlier delivery finished, of messages that carry several. A transaction would fail for
 * each of them. @returns their ids; none if they can't be read
 */
async function finishedBefore<P>(
  worker: Worker<P>,
  db: Database,
  messages: readonly Message<P>[],
): Promise<readonly number[]> {
  const several = messages.filter(({ jobs }) => jobs.length > 1);
  const repeated = several.flatMap(({ jobs }) => jobs).filter(({ attempts }) => attempts > 1);
  if (repeated.length === 0) return [];
  try {
    const ids = repeated.map(({ job_id }) => job_id);
    const queued = new Set((await queuedJobs(db, ids)).map(({ job_id }) => job_id));
    const finished = repeated.filter(({ job_id }) => !queued.has(job_id));
    for (const job of finished) logOutcome(worker, job, "finished before");
    return finished.map(({ job_id }) => job_id);
  } catch (error) {
    logger.warn("jobs not looked up", { error, job: worker.job });
    return [];
  }
}

/** The jobs of a message. If the message or one of them can't be read, logs that. */
function readJobs<P>({ job: kind, payload: schema }: Worker<P>, record: SQSRecord): Message<P> {
  const attempts = Number(record.attributes.ApproximateReceiveCount);
  const readable = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      report(error, { job: kind, message_id: record.messageId });
      return undefined;
    }
  };
  const message = readable(() => readMessage(record.body));
  if (message === undefined) return { record, jobs: [], isUnreadable: true };
  const { more = [], ...first } = message;
  const jobs = [first, ...more].map(({ payload, ...sent }) =>
    readable(() => ({ ...sent, payload: readPayload(schema, sent.job_id, payload), attempts })),
  );
  const isUnreadable = jobs.includes(undefined);
  return { record, jobs: jobs.filter((job) => job !== undefined), isUnreadable };
}

/**
 * Applies jobs together within a time limit, and again those that share an item with one that ended. After an
 * error, the remaining jobs are still queued. @returns the ids of the jobs that ended
 */
async function applyTogether<P>(
  worker: Worker<P>,
  db: Database,
  jobs: readonly DeliveredJob<P>[],
  limitMs: number,
): Promise<readonly number[]> {
  const warn = (error: unknown) => logger.warn("jobs not applied together", { error, job: worker.job });
  const done: number[] = [];
  let isOver = false;
  const applying = async (): Promise<void> => {
    for (let open = jobs; open.length > 1 && !isOver; ) {
      const { ended, failure } = await applyJobs(worker, db, open);
      for (const job of open) logOutcome(worker, job, ended.get(job.job_id));
      done.push(...ended.keys());
      if (failure !== undefined) warn(failure.error);
      if (failure !== undefined || ended.size === 0) return;
      open = open.filter(({ job_id }) => !ended.has(job_id));
    }
  };
  try {
    await withinLimit(limitMs, withBudget(applying, batchLimits.retryBudgetMs));
  } catch (error) {
    warn(error);
  } finally {
    isOver = true;
  }
  return [...done];
}

/** Applies one job within a time limit. @returns whether it ended */
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
    report(error, { job: worker.job, job_id: job.job_id, request_id: job.request_id });
    return false;
  }
}

function logOutcome<P>(
  { job }: Worker<P>,
  { job_id, request_id, attempts }: DeliveredJob<P>,
  status?: JobOutcome,
): void {
  if (status !== undefined) logger.info("job", { job, job_id, request_id, status, attempts });
}

/** Logs why a message returns to the queue. Errors roll back a canary deployment; warnings do not. */
function report(error: unknown, fields: Readonly<Record<string, string | number | undefined>>): void {
  if (error instanceof Busy)
    logger.warn("job not applied, as others hold what it changes", { error, ...fields });
  else if (error instanceof FromOtherRelease)
    logger.warn("job left for the release that accepted it", { error, ...fields });
  else logger.error("job not applied", { error, ...fields });
}

/** Sends jobs of messages to the end of the queue. @returns the messages of which a job was not sent */
async function sendAgain<P>(
  job: QueueName,
  messages: readonly Message<P>[],
  isMeant: (job: DeliveredJob<P>) => boolean,
  sendTexts: BatchEnvironment["sendTexts"],
): Promise<readonly Message<P>[]> {
  const sent = messages.flatMap((message) =>
    writeTogether(message.jobs.filter(isMeant)).map((text) => ({ message, text })),
  );
  if (sent.length === 0) return [];
  const lost = await sendTexts(
    job,
    sent.map(({ text }) => text),
  );
  const figures = { count: sent.length, lost: lost.length };
  logger.warn("jobs sent anew, as no time was left for them", { job, ...figures });
  return sent.filter((_, position) => lost.includes(position)).map(({ message }) => message);
}

/** Waits for work. @throws if it takes longer than `milliseconds`; the work then continues */
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
