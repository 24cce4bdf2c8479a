import { describe, expect, it } from "vitest";
import { touchedItems } from "../../../infra/local/proxy/touched.ts";

const a = { pk: { S: "a" } };
const b = { pk: { S: "b" } };
const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/t";

describe("touchedItems", () => {
  it.each([
    ["PutItem", { TableName: "t", Item: a }],
    ["UpdateItem", { TableName: arn, Key: a }],
    ["GetItem", { TableName: "t", Key: a }],
  ])("names the item of %s", (name, input) => {
    expect(touchedItems(name, input)).toEqual([{ table: "t", attributes: a, action: name }]);
  });

  it.each([
    [
      "TransactWriteItems",
      { TransactItems: [{ Put: { TableName: "t", Item: a } }, { Delete: { TableName: "u", Key: b } }] },
      ["PutItem", "DeleteItem"],
    ],
    [
      "TransactGetItems",
      { TransactItems: [{ Get: { TableName: "t", Key: a } }, { Get: { TableName: "u", Key: b } }] },
      ["GetItem", "GetItem"],
    ],
    [
      "BatchGetItem",
      { RequestItems: { t: { Keys: [a] }, u: { Keys: [b] } } },
      ["BatchGetItem", "BatchGetItem"],
    ],
    [
      "BatchWriteItem",
      { RequestItems: { t: [{ PutRequest: { Item: a } }], u: [{ DeleteRequest: { Key: b } }] } },
      ["BatchWriteItem", "BatchWriteItem"],
    ],
  ])(
    "names the items of %s in their order, with the actions that they take",
    (name, input, [first, second]) => {
      expect(touchedItems(name, input)).toEqual([
        { table: "t", attributes: a, action: first },
        { table: "u", attributes: b, action: second },
      ]);
    },
  );

  it("returns nothing if a request names a range or is invalid", () => {
    expect(touchedItems("Query", { TableName: "t", Key: a })).toEqual([]);
    expect(touchedItems("PutItem", undefined)).toEqual([]);
    expect(touchedItems("TransactWriteItems", { TransactItems: "?" })).toEqual([]);
  });
});
