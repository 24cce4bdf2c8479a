import type { SQSRecord } from "aws-lambda";

/** A message as Lambda hands it to a worker, at its so many'th delivery. */
export const messageRecord = (messageId: string, body: string, delivery = 1): SQSRecord => ({
  messageId,
  receiptHandle: "handle",
  body,
  attributes: {
    ApproximateReceiveCount: String(delivery),
    SentTimestamp: "0",
    SenderId: "sender",
    ApproximateFirstReceiveTimestamp: "0",
  },
  messageAttributes: {},
  md5OfBody: "",
  eventSource: "aws:sqs",
  eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:queue",
  awsRegion: "us-east-1",
});
