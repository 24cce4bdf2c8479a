import type { SQSRecord } from "aws-lambda";
import * as z from "zod";
import { awsEnvironment } from "../aws-environment.ts";
import { parseJson } from "../json.ts";

const messageSchema = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.record(z.string(), z.string()).default({}),
});

/** A message as `ReceiveMessage` returns it. */
export type Message = z.infer<typeof messageSchema>;

export const messagesSchema = z.object({ Messages: z.array(messageSchema).default([]) });

/** A message as Lambda passes it to a function, without attributes that its sender set. */
export const toRecord = (message: Message, queueArn: string): SQSRecord => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: {
    ApproximateReceiveCount: message.Attributes["ApproximateReceiveCount"] ?? "1",
    SentTimestamp: message.Attributes["SentTimestamp"] ?? "",
    SenderId: message.Attributes["SenderId"] ?? "",
    ApproximateFirstReceiveTimestamp: message.Attributes["ApproximateFirstReceiveTimestamp"] ?? "",
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody,
  eventSource: "aws:sqs",
  eventSourceARN: queueArn,
  awsRegion: awsEnvironment.region,
});

const failuresSchema = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish(),
});

/**
 * Reads a function's answer about a batch.
 *
 * @param payload the answer as JSON
 * @param ids the identifiers of the batch
 * @returns the identifiers that failed: all if the answer is not understood, or names another one
 */
export const failedOf = (payload: string, ids: readonly string[]): ReadonlySet<string> => {
  const all = new Set(ids);
  const result = parseJson(payload);
  if (result === null || result === "") return new Set();
  const parsed = failuresSchema.safeParse(result);
  if (!parsed.success) return all;
  const failed = (parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
};
