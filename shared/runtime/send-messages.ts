/** Sends messages to SQS: those of jobs (`shared/jobs/send.ts`) and the wake-ups of webhooks. */
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from "@aws-sdk/client-sqs";
import { inBatches } from "../common/concurrency.ts";
import { logger } from "./log.ts";
import type { QueueName } from "./queue-names.ts";
import { queueVariable } from "./shared-names.ts";

/** SQS's limit of messages in one call. */
export const maxMessages = 10;

/** In milliseconds: short, because the client waits, and the sweeper resends lost messages. */
const timeouts = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

let client: SQSClient | undefined;

function queueUrl(queue: QueueName): string {
  const url = process.env[queueVariable(queue)];
  if (url === undefined) throw new Error(`the contract's sends does not list the queue ${queue}`);
  return url;
}

/**
 * Sends all batches concurrently, delayed by at most 900 s. Never throws.
 * @returns the positions of unsent texts
 */
export async function sendTexts(
  queue: QueueName,
  texts: readonly string[],
  delaySeconds?: number,
): Promise<readonly number[]> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler: timeouts });
  const [sqs, url] = [client, queueUrl(queue)];
  const entries = texts.map((MessageBody, position) => ({
    Id: String(position),
    MessageBody,
    ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
  }));
  const sends = inBatches(entries, maxMessages).map((batch) => sendBatch(sqs, url, batch));
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
