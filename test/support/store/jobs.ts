/** What lies behind the service's jobs: their due times, their messages, the dead-letter queues. */
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Runtime } from "../../../infra/local/index.ts";
import { jobLookup } from "../../../shared/jobs/job-repository.ts";
import { queueVariable } from "../../../shared/runtime/shared-names.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";

/** As if the time had come at which the sweeper looks after a job, which it has sent again `resent` times. */
export async function makeOverdue(db: Database, jobId: number, resent = 0): Promise<void> {
  const { table, key } = jobLookup(jobId);
  await db.client.send(
    new UpdateCommand({
      TableName: db.tableName(table),
      Key: { ...key },
      UpdateExpression: "SET check_at = :past, resent = :resent",
      ExpressionAttributeValues: { ":past": "2026-01-01T00:00:00.000Z", ":resent": resent },
    }),
  );
}

/** The most messages that SQS gives or takes at once. */
const largestBatch = 10;

const urlIn = (urls: Readonly<Record<string, string>>, kind: string): string => {
  const url = urls[queueVariable(kind)];
  if (url === undefined) throw new Error(`there is no queue of ${kind}`);
  return url;
};

async function withQueues<T>(runtime: Runtime, work: (sqs: SQSClient) => Promise<T>): Promise<T> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const sqs = new SQSClient({ endpoint: runtime.sqs.endpoint, region: "us-east-1", credentials });
  try {
    return await work(sqs);
  } finally {
    sqs.destroy();
  }
}

/** Empties a queue and answers what lay in it. */
const drain = (runtime: Runtime, QueueUrl: string): Promise<readonly string[]> =>
  withQueues(runtime, async (sqs) => {
    const bodies: string[] = [];
    for (;;) {
      const input = { QueueUrl, MaxNumberOfMessages: largestBatch };
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
      if (Messages.length === 0) return bodies;
      bodies.push(...Messages.map(({ Body = "" }: Message) => Body));
      const Entries = Messages.map(({ ReceiptHandle }, place) => ({ Id: String(place), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
  });

/** Takes the messages of a kind out of its queue, while the runtime pauses. */
export const takeMessages = (runtime: Runtime, kind: string): Promise<readonly string[]> =>
  drain(runtime, urlIn(runtime.sqs.queues, kind));

/** Takes what was set aside of a kind out of its dead-letter queue. */
export const takeDeadLetters = (runtime: Runtime, kind: string): Promise<readonly string[]> =>
  drain(runtime, urlIn(runtime.sqs.deadLetterQueues, kind));

/** Sends messages of a kind in this order. */
export const sendMessages = (runtime: Runtime, kind: string, bodies: readonly string[]): Promise<void> =>
  withQueues(runtime, async (sqs) => {
    const QueueUrl = urlIn(runtime.sqs.queues, kind);
    for (let start = 0; start < bodies.length; start += largestBatch) {
      const batch = bodies.slice(start, start + largestBatch);
      const Entries = batch.map((MessageBody, place) => ({ Id: String(place), MessageBody }));
      await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
  });
