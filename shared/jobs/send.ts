import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { queueVariable } from "../contract.ts";
import { logger } from "../handler.ts";
import type { JobKind } from "../store/job-kinds.ts";
import { type Message, writeMessage } from "./message.ts";

/** SQS's limit of messages for one call. */
const batchSize = 10;

/** Time limits of a call, in milliseconds. The caller is waiting, and the sweeper sends lost messages again. */
const patience = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

let client: SQSClient | undefined;

function queueUrl(kind: JobKind): string {
  const url = process.env[queueVariable(kind)];
  if (url === undefined) throw new Error(`sends does not state the queue ${kind}`);
  return url;
}

/**
 * Sends the messages, with all batches side by side. Never throws. A lost message does no harm: its job record is
 * stored already, and the sweeper sends the message again.
 */
export async function sendJobs(kind: JobKind, messages: readonly Message[]): Promise<void> {
  client ??= new SQSClient({ maxAttempts: 3, requestHandler: patience });
  const sends: Promise<number>[] = [];
  for (let start = 0; start < messages.length; start += batchSize) {
    sends.push(sendBatch(client, queueUrl(kind), messages.slice(start, start + batchSize)));
  }
  const lost = (await Promise.all(sends)).reduce((sum, count) => sum + count, 0);
  if (lost > 0) logger.warn("messages not sent; the sweeper will", { job: kind, count: lost });
}

async function sendBatch(sqs: SQSClient, url: string, messages: readonly Message[]): Promise<number> {
  const Entries = messages.map((message, position) => ({
    Id: String(position),
    MessageBody: writeMessage(message),
  }));
  try {
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
    return Failed.length;
  } catch (error) {
    logger.error("sending failed", { error });
    return messages.length;
  }
}
