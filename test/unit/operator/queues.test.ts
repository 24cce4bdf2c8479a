import { SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, expect, test, vi } from "vitest";
import { Queues } from "../../../infra/operator/cli/queues.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("messages that SQS does not delete from the dead-letter queue do not count as moved", async () => {
  const urls = { QUEUE_WEIGHT: "https://queues.invalid/1" };
  const queues = new Queues({ queues: urls, deadLetterQueues: urls }, { region: "us-east-1" });
  const answers: readonly object[] = [
    { Messages: [{ Body: "a" }, { Body: "b" }, { Body: "c" }] },
    {},
    { Failed: [{ Id: "1", Code: "InternalError", SenderFault: false }] },
    {},
  ];
  let sent = 0;
  vi.spyOn(SQSClient.prototype, "send").mockImplementation(async () => answers[sent++]);

  await expect(queues.redrive("weight")).rejects.toThrow("2 messages were moved. 1 more");
});

test("messages of a queue are counted by what they wait for, and those behind it as dead", async () => {
  const counts: Readonly<Record<string, object>> = {
    "https://queues.invalid/1": {
      ApproximateNumberOfMessages: "3",
      ApproximateNumberOfMessagesNotVisible: "2",
    },
    "https://queues.invalid/2": {
      ApproximateNumberOfMessages: "1",
      ApproximateNumberOfMessagesNotVisible: "0",
    },
  };
  const urls = {
    queues: { QUEUE_WEIGHT: "https://queues.invalid/1" },
    deadLetterQueues: { QUEUE_WEIGHT: "https://queues.invalid/2" },
  };
  vi.spyOn(SQSClient.prototype, "send").mockImplementation(async ({ input }) => ({
    Attributes: counts["QueueUrl" in input ? String(input.QueueUrl) : ""],
  }));

  const found = await new Queues(urls, { region: "us-east-1" }).counts();

  expect(found).toEqual([{ queue: "weight", waiting: 3, in_flight: 2, dead: 1 }]);
});
