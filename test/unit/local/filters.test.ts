import { describe, expect, test } from "vitest";
import { readFilter } from "../../../infra/local/assembly/filters.ts";

const byKey = (...rules: readonly unknown[]) => JSON.stringify({ dynamodb: { Keys: { pk: { S: rules } } } });
const record = (pk: unknown) => ({ eventName: "MODIFY", dynamodb: { Keys: { pk, sk: { S: "-" } } } });

describe("a filter of an event source", () => {
  const orders = readFilter([byKey({ prefix: "order#" }, { prefix: "stock#" })]);

  test.each([
    ["begins with one of its prefixes", { S: "stock#1" }, true],
    ["is the prefix", { S: "order#" }, true],
    ["only contains the prefix", { S: "an order#1" }, false],
    ["differs in case", { S: "Order#1" }, false],
    ["is no text", { N: "1" }, false],
    ["is missing", undefined, false],
  ])("lets a record pass whose key %s: %j, %s", (_, pk, passes) => {
    expect(orders(record(pk))).toBe(passes);
  });

  test("asks for all fields of one pattern, of whichever it has", () => {
    const inserted = JSON.stringify({ eventName: ["INSERT"], dynamodb: { Keys: { pk: { S: ["a"] } } } });
    const filter = readFilter([inserted, byKey("b")]);

    const passed = ["a", "b", "c"].map((pk) => filter(record({ S: pk })));

    expect(passed).toEqual([false, true, false]);
    expect(filter({ ...record({ S: "a" }), eventName: "INSERT" })).toBe(true);
  });

  test("lets nothing pass without a pattern, and nothing by an empty list", () => {
    expect(readFilter([])(record({ S: "a" }))).toBe(false);
    expect(readFilter([byKey()])(record({ S: "a" }))).toBe(false);
  });

  test.each([
    '{"eventName":[{"anything-but":["INSERT"]}]}',
    '{"eventName":[{"prefix":{"equals-ignore-case":"in"}}]}',
    '{"eventName":[{"prefix":"a","suffix":"b"}]}',
    '{"eventName":[{"exists":true}]}',
    '{"eventName":[1]}',
    '{"eventName":"INSERT"}',
    "{}",
    "[]",
    "no JSON",
  ])("is rejected if it is not known: %s", (pattern) => {
    expect(() => readFilter([pattern])).toThrow(/does not know the filter pattern/);
  });
});
