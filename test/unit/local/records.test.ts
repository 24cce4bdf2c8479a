import { describe, expect, test } from "vitest";
import { failedOf } from "../../../infra/local/events/records.ts";

const batch = ["a", "b"];

describe("failedOf", () => {
  test.each([
    ["null", []],
    ['""', []],
    ["{}", []],
    ['{"batchItemFailures":null}', []],
    ['{"batchItemFailures":[]}', []],
    ['{"batchItemFailures":[{"itemIdentifier":"b"}]}', ["b"]],
  ])("takes the answer %s for the failure of %j", (payload, failed) => {
    expect([...failedOf(payload, batch)]).toEqual(failed);
  });

  test.each([
    '{"batchItemFailures":[{"itemIdentifier":"unknown"}]}',
    '{"batchItemFailures":[{"itemIdentifier":""}]}',
    '{"batchItemFailures":[{"wrong":"b"}]}',
    '"done"',
  ])("fails the whole batch for the answer %s", (payload) => {
    expect([...failedOf(payload, batch)]).toEqual(["a", "b"]);
  });
});
