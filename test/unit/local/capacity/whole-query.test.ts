import { describe, expect, test } from "vitest";
import { wholeQuery } from "../../../../infra/local/proxy/capacity/whole-query.ts";

const items = [{ pk: { S: "p" } }];
const input = { TableName: "t", IndexName: "i", KeyConditionExpression: "#k = :k" };

describe("what a query evaluated", () => {
  test("is its answer if nothing was held back", () => {
    expect(wholeQuery(input, { Items: items, Count: 1, ScannedCount: 1 })).toEqual({ items });
  });

  test("is nothing if it found nothing", () => {
    expect(wholeQuery({ ...input, Select: "COUNT" }, { Count: 0, ScannedCount: 0 })).toEqual({ items: [] });
  });

  test("is asked for again without filter and projection, and with the placeholders of the key alone", () => {
    const reduced = {
      ...input,
      ConsistentRead: true,
      FilterExpression: "#k1 = :k1",
      ProjectionExpression: "#k, #p",
      ExpressionAttributeNames: { "#k": "pk", "#k1": "other", "#p": "third" },
      ExpressionAttributeValues: { ":k": { S: "p" }, ":k1": { S: "q" } },
    };

    expect(wholeQuery(reduced, { Items: [], Count: 0, ScannedCount: 7 })).toEqual({
      input: {
        ...input,
        ConsistentRead: true,
        ExpressionAttributeNames: { "#k": "pk" },
        ExpressionAttributeValues: { ":k": { S: "p" } },
        Limit: 7,
      },
    });
  });

  test("leaves out the placeholders of a scan, which has no key", () => {
    const scan = {
      TableName: "t",
      FilterExpression: "begins_with(pk, :p)",
      ExpressionAttributeValues: { ":p": { S: "p" } },
    };

    expect(wholeQuery(scan, { Items: [], ScannedCount: 2 })).toEqual({
      input: { TableName: "t", Limit: 2 },
    });
  });
});
