import { expect, test } from "vitest";
import { Conflicts } from "../../../infra/local/proxy/conflicts.ts";
import { readOperation } from "../../../infra/local/proxy/operations.ts";

const key = { pk: { S: "a" }, sk: { S: "b" } };
const requests = {
  GetItem: { TableName: "t", Key: key },
  PutItem: { TableName: "t", Item: key },
  TransactWriteItems: { TransactItems: [{ Put: { TableName: "t", Item: key } }] },
};

test.each<[keyof typeof requests, keyof typeof requests, boolean]>([
  ["TransactWriteItems", "TransactWriteItems", true],
  ["TransactWriteItems", "PutItem", true],
  ["TransactWriteItems", "GetItem", false],
  ["PutItem", "TransactWriteItems", false],
  ["PutItem", "PutItem", false],
])("while %s is under way, %s conflicts: %s", (first, second, isRefused) => {
  const conflicts = new Conflicts();
  const begin = (name: keyof typeof requests) => {
    const operation = readOperation(`DynamoDB_20120810.${name}`, requests[name]);
    return operation && conflicts.begin(operation, requests[name]);
  };

  const end = begin(first);
  const during = begin(second);
  end?.();
  during?.();

  expect(during === undefined).toBe(isRefused);
  expect(begin(second)).toBeDefined();
});
