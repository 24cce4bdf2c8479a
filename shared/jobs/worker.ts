import { setTimeout as sleep } from "node:timers/promises";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { forEachConcurrently, inBatches } from "../common/concurrency.ts";
import type { WorkerContract } from "../runtime/contract.ts";
import { database } from "../runtime/database.ts";
import { beginHandler } from "../runtime/handler.ts";
import { logger } from "../runtime/log.ts";
import type { QueueName } from "../runtime/queue-names.ts";
import { sendTexts } from "../runtime/send-messages.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { Busy, withBudget } from "../store/dynamodb/retry.ts";
import { resumeSaga } from "../store/sagas/saga.ts";
import { type Applies, applyJob, applyJobs, type DeliveredJob, type JobOutcome } from "./apply.ts";
import { queuedJobs } from "./job-repository.ts";
import { FromOtherRelease, readMessage, readPayload, writeTogether } from "./message.ts";

/** The worker of one kind of job. */
export interface Worker<P> extends WorkerContract, Applies<P> {}

/** Defines a worker, with the Lambda handler of its messages. */
export function defineWorker<P>(stated: Pick<WorkerContract, "job" | "access"> & Applies<P>) {
  const worker: Worker<P> = { ...stated, type: "worker", sends: [stated.job] };
  return { worker, handler: workerHandler(worker) };
}

/** Limits for jobs that are applied together. Times are in milliseconds. */
const chunkLimits = {
  /** Jobs of a chunk: as many corrections as a transaction holds. So one that hangs delays few others. */
  maxJobs: 24,
  /** Chunks that are applied at the same time. All of them change the counts of a list. */
  maxParallel: 3,
  /**
   * A job that hangs delays its chunk. Afterwards, each can still be applied alone, even if one hangs again.
   */
  limitMs: 5_000,
  /** For conflicts with other writers before any job is stored, because one busy item delays the chunk. */
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

/** A message that was delivered, with the jobs that could be read. */
interface Delivery<P> {
  readonly messageId: string;
  readonly jobs: readonly DeliveredJob<P>[];
  /** Whether one of its jobs, or all of it, could not be read. */
  readonly isUnreadable: boolean;
}

/** The state of a job. A job that failed or has not begun is still queued. */
type JobState = "not begun" | "ended" | "failed";

/**
 * The Lambda handler of a worker. The transaction that applies a job requires its record to be queued, so a
 * second delivery of a message has no effect. If a message fails, only that message returns to the queue.
 *
 * Only the worker's plan ends a job as failed. If all deliveries of a message (`maxDeliveries`) fail, the
 * message goes to the dead-letter queue, which raises an alarm. The job stays queued until the sweeper or an
 * operator resends it.
 */
const workerHandler = <P>(worker: Worker<P>) =>
  beginHandler<SQSEvent, SQSBatchResponse>().handler(async ({ Records }, context) => {
    const remaining = () => context.getRemainingTimeInMillis();
    return applyMessages(worker, Records, {
      db: { ...(await database()), resumeSaga },
      remaining,
      sendTexts,
    });
  });

/**
 * Applies the jobs of a batch of messages: as many as possible together in chunks, then the others one by one
 * while there is time. Jobs that did not begin are sent again, because a returned message would have used up
 * a delivery.
 * @returns the messages to return to the queue
 */
export async function applyMessages<P>(
  worker: Worker<P>,
  records: readonly SQSRecord[],
  { db, remaining, sendTexts, limitMs = aloneLimitMs }: BatchEnvironment,
): Promise<SQSBatchResponse> {
  const deliveries = records.map((record) => readDelivery(worker, record));
  // Two messages may carry the same job.
  const byId = new Map(deliveries.flatMap(({ jobs }) => jobs.map((job) => [job.job_id, job] as const)));
  const states = new Map<number, JobState>([...byId.keys()].map((id) => [id, "not begun"]));
  const noteEnded = (ids: readonly number[]): void => {
    for (const id of ids) states.set(id, "ended");
  };
  const jobsThat = (state: JobState, jobs: readonly DeliveredJob<P>[] = [...byId.values()]) =>
    jobs.filter(({ job_id }) => states.get(job_id) === state);
  const hasTime = () => remaining() >= minRemainingMs;

  noteEnded(await finishedBefore(worker, db, deliveries));
  await forEachConcurrently(
    inBatches(jobsThat("not begun"), chunkLimits.maxJobs),
    async (chunk) => {
      if (chunk.length > 1 && hasTime()) noteEnded(await applyChunk(worker, db, chunk, limitMs));
    },
    chunkLimits.maxParallel,
  );
  for (const job of jobsThat("not begun")) {
    if (!hasTime()) break;
    states.set(job.job_id, await applyOne(worker, db, job, limitMs));
  }
  const late = deliveries.map((one) => ({ ...one, jobs: jobsThat("not begun", one.jobs) }));
  const unsent = await sendAgain(worker.job, late, sendTexts);
  const returned = deliveries.filter(
    ({ messageId, jobs, isUnreadable }) =>
      isUnreadable || unsent.includes(messageId) || jobsThat("failed", jobs).length > 0,
  );
  return { batchItemFailures: returned.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/**
 * The jobs that an earlier delivery finished, for messages that carry several. Each of them would make a
 * transaction fail.
 * @returns their ids; none if they can't be read
 */
async function finishedBefore<P>(
  worker: Worker<P>,
  db: Database,
  deliveries: readonly Delivery<P>[],
): Promise<readonly number[]> {
  const several = deliveries.filter(({ jobs }) => jobs.length > 1);
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

/** Reads a message and its jobs. Logs what can't be read. */
function readDelivery<P>({ job: kind, payload: schema }: Worker<P>, record: SQSRecord): Delivery<P> {
  const { messageId } = record;
  const attempts = Number(record.attributes.ApproximateReceiveCount);
  const readable = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      report(error, { job: kind, message_id: messageId });
      return undefined;
    }
  };
  const message = readable(() => readMessage(record.body));
  if (message === undefined) return { messageId, jobs: [], isUnreadable: true };
  const { more = [], ...first } = message;
  const jobs = [first, ...more].map(({ payload, ...sent }) =>
    readable(() => ({ ...sent, payload: readPayload(schema, sent.job_id, payload), attempts })),
  );
  const isUnreadable = jobs.includes(undefined);
  return { messageId, jobs: jobs.filter((job) => job !== undefined), isUnreadable };
}

/**
 * Applies jobs together within a time limit, and again those that share an item with one that ended. After an
 * error, the remaining jobs are still queued. @returns the ids of the jobs that ended
 */
async function applyChunk<P>(
  worker: Worker<P>,
  db: Database,
  chunk: readonly DeliveredJob<P>[],
  limitMs: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  let isOver = false;
  const applying = async (): Promise<void> => {
    for (let open = chunk; open.length > 1 && !isOver; ) {
      const { ended, failure } = await applyJobs(worker, db, open);
      for (const job of open) logOutcome(worker, job, ended.get(job.job_id));
      ids.push(...ended.keys());
      if (failure !== undefined) throw failure.error;
      if (ended.size === 0) return;
      open = open.filter(({ job_id }) => !ended.has(job_id));
    }
  };
  try {
    const limited = Math.min(limitMs, chunkLimits.limitMs);
    await withinLimit(limited, withBudget(applying, chunkLimits.retryBudgetMs));
  } catch (error) {
    logger.warn("jobs not applied together", { error, job: worker.job });
  } finally {
    isOver = true;
  }
  return ids;
}

/** Applies one job within a time limit. */
async function applyOne<P>(
  worker: Worker<P>,
  db: Database,
  job: DeliveredJob<P>,
  limitMs: number,
): Promise<JobState> {
  try {
    logOutcome(worker, job, await withinLimit(limitMs, applyJob(worker, db, job)));
    return "ended";
  } catch (error) {
    report(error, { job: worker.job, job_id: job.job_id, request_id: job.request_id });
    return "failed";
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

/**
 * Sends jobs to the end of the queue.
 * @returns the ids of the messages with a job that could not be sent
 */
async function sendAgain<P>(
  job: QueueName,
  deliveries: readonly Delivery<P>[],
  sendTexts: BatchEnvironment["sendTexts"],
): Promise<readonly string[]> {
  const sent = deliveries.flatMap(({ messageId, jobs }) =>
    writeTogether(jobs).map((text) => ({ messageId, text })),
  );
  if (sent.length === 0) return [];
  const lost = await sendTexts(
    job,
    sent.map(({ text }) => text),
  );
  const figures = { count: sent.length, lost: lost.length };
  logger.warn("jobs sent anew, as no time was left for them", { job, ...figures });
  return sent.filter((_, position) => lost.includes(position)).map(({ messageId }) => messageId);
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
