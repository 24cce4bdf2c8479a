import { describe, expect, it } from "vitest";
import { failedMessages } from "../../../infra/local/events/records.ts";

const message = (MessageId: string) => ({
  MessageId,
  ReceiptHandle: MessageId,
  Body: "",
  MD5OfBody: "",
  Attributes: {},
  MessageAttributes: {},
});

const batch = [message("a"), message("b")];

describe("failedMessages", () => {
  it.each([
    ["null", []],
    ['""', []],
    ["{}", []],
    ['{"batchItemFailures":null}', []],
    ['{"batchItemFailures":[]}', []],
    ['{"batchItemFailures":[{"itemIdentifier":"b"}]}', ["b"]],
  ])("takes the answer %s for the failure of %j", (payload, failed) => {
    expect([...failedMessages(payload, batch)]).toEqual(failed);
  });

  it.each([
    '{"batchItemFailures":[{"itemIdentifier":"unknown"}]}',
    '{"batchItemFailures":[{"itemIdentifier":""}]}',
    '{"batchItemFailures":[{"wrong":"b"}]}',
    '"done"',
  ])("fails the whole batch for the answer %s", (payload) => {
    expect([...failedMessages(payload, batch)]).toEqual(["a", "b"]);
  });
});
