import { describe, expect, it } from "vitest";
import { failedOf } from "../../../infra/local/events/records.ts";

const batch = ["a", "b"];

describe("failedOf", () => {
  it.each([
    ["null", []],
    ['""', []],
    ["{}", []],
    ['{"batchItemFailures":null}', []],
    ['{"batchItemFailures":[]}', []],
    ['{"batchItemFailures":[{"itemIdentifier":"b"}]}', ["b"]],
  ])("takes the answer %s for the failure of %j", (payload, failed) => {
    expect([...failedOf(payload, batch)]).toEqual(failed);
  });

  it.each([
    '{"batchItemFailures":[{"itemIdentifier":"unknown"}]}',
    '{"batchItemFailures":[{"itemIdentifier":""}]}',
    '{"batchItemFailures":[{"wrong":"b"}]}',
    '"done"',
  ])("fails the whole batch for the answer %s", (payload) => {
    expect([...failedOf(payload, batch)]).toEqual(["a", "b"]);
  });
});
