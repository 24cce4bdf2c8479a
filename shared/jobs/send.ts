import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from "@aws-sdk/client-sqs";
import { inBatches } from "../common/concurrency.ts";
import { logger } from "../runtime/log.ts";
import type { JobKind } from "../runtime/queue-names.ts";
import { queueVariable } from "../runtime/shared-names.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { queuedJobs } from "./job-repository.ts";
import { type SentJob, writeMessage, writeTogether } from "./message.ts";

/** SQS's limit of messages in one call. */
const batchSize = 10;

/**
 * Time limits of a call, in milliseconds. They are short because the client waits, and the sweeper resends
 * lost messages.
 */
const timeouts = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

let client: SQSClient | undefined;

function queueUrl(kind: JobKind): string {
  const url = process.env[queueVariable(kind)];
  if (url === undefined) throw new Error(`sends does not state the queue ${kind}`);
  return url;
}

/**
 * Sends a message for each job, all batches concurrently; none in a dry run. Never throws. A lost message is
 * harmless: its job is stored already, and the sweeper sends the message again.
 */
export const sendJobs = (
  db: Pick<Database, "dryRun">,
  kind: JobKind,
  jobs: readonly SentJob[],
): Promise<void> => sendMessages(db, kind, jobs.map(writeMessage));

/**
 * Sends jobs as `sendJobs` does. If they are more than a call of SQS takes messages, the messages carry
 * several, which their worker applies together. This suits jobs that write a few small items each.
 */
export const sendTogether = (
  db: Pick<Database, "dryRun">,
  kind: JobKind,
  jobs: readonly SentJob[],
): Promise<void> =>
  jobs.length > batchSize ? sendMessages(db, kind, writeTogether(jobs)) : sendJobs(db, kind, jobs);

async function sendMessages(
  { dryRun }: Pick<Database, "dryRun">,
  kind: JobKind,
  texts: readonly string[],
): Promise<void> {
  if (dryRun !== undefined) return;
  const lost = await sendTexts(kind, texts);
  if (lost.length > 0) logger.warn("messages not sent; the sweeper will", { job: kind, count: lost.length });
}

/**
 * Resends those jobs that are still queued, for a retried call, which may have died before it sent them. If
 * the first message still waits in the queue, the job has two messages, but takes effect once.
 */
export async function resendJobs(db: Database, kind: JobKind, ids: readonly number[]): Promise<void> {
  const queued = await queuedJobs(db, ids);
  if (queued.length > 0) await sendJobs(db, kind, queued);
}

/**
 * Sends the texts of messages, all batches concurrently. They are delivered after `delaySeconds`, at most
 * 900. Never throws.
 * @returns the positions of messages that were not sent
 */
export async function sendTexts(
  kind: JobKind,
  texts: readonly string[],
  delaySeconds?: number,
): Promise<readonly number[]> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler: timeouts });
  const [sqs, url] = [client, queueUrl(kind)];
  const entries = texts.map((MessageBody, position) => ({
    Id: String(position),
    MessageBody,
    ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
  }));
  const sends = inBatches(entries, batchSize).map((batch) => sendBatch(sqs, url, batch));
  return (await Promise.all(sends)).flat();
}

type Entry = SendMessageBatchRequestEntry & { readonly Id: string };

async function sendBatch(
  sqs: SQSClient,
  QueueUrl: string,
  Entries: readonly Entry[],
): Promise<readonly number[]> {
  try {
    const command = new SendMessageBatchCommand({ QueueUrl, Entries: [...Entries] });
    const { Failed = [] } = await sqs.send(command);
    return Failed.map(({ Id }) => Number(Id));
  } catch (error) {
    logger.error("sending failed", { error });
    return Entries.map(({ Id }) => Number(Id));
  }
}
