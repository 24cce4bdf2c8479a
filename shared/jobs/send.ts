import { logger } from "../runtime/log.ts";
import type { QueueName } from "../runtime/queue-names.ts";
import { maxMessages, sendTexts } from "../runtime/send-messages.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { queuedJobs } from "./job-repository.ts";
import { type SentJob, writeMessage, writeTogether } from "./message.ts";

/** Sends jobs to the workers of their kind. */
type SendJobs = (db: Pick<Database, "dryRun">, kind: QueueName, jobs: readonly SentJob[]) => Promise<void>;

/**
 * Sends a message for each job, all batches concurrently; none in a dry run. Never throws. A lost message is
 * harmless: its job is stored already, and the sweeper sends the message again.
 */
export const sendJobs: SendJobs = (db, kind, jobs) => send(db, kind, jobs.map(writeMessage));

/**
 * Sends jobs as `sendJobs` does. If there are more of them than one call of SQS takes messages, each message
 * carries several, which the worker applies together. This suits jobs that write a few small items each.
 */
export const sendTogether: SendJobs = (db, kind, jobs) =>
  jobs.length > maxMessages ? send(db, kind, writeTogether(jobs)) : sendJobs(db, kind, jobs);

async function send(
  { dryRun }: Pick<Database, "dryRun">,
  kind: QueueName,
  texts: readonly string[],
): Promise<void> {
  if (dryRun !== undefined) return;
  const lost = await sendTexts(kind, texts);
  if (lost.length > 0) logger.warn("messages not sent; the sweeper will", { job: kind, count: lost.length });
}

/**
 * Resends the jobs that are still queued, for a retry of a call that may have died before it sent them. If
 * the first message is still in the queue, the job has two messages, but takes effect once.
 */
export async function resendJobs(db: Database, kind: QueueName, ids: readonly number[]): Promise<void> {
  const queued = await queuedJobs(db, ids);
  if (queued.length > 0) await sendJobs(db, kind, queued);
}
