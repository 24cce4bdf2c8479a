import { describe, expect, it } from "vitest";
import { readOperation } from "../../../infra/local/proxy/operations.ts";

const tableArn = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

const dynamodb = (name: string, input: unknown) => readOperation(`DynamoDB_20120810.${name}`, input);
const sqs = (name: string, input: unknown) => readOperation(`AmazonSQS.${name}`, input);

describe("readOperation", () => {
  it("asks for the operation on the table", () => {
    expect(dynamodb("PutItem", { TableName: "t" })).toMatchObject({
      name: "PutItem",
      tables: ["t"],
      permissions: [{ action: "dynamodb:PutItem", resource: tableArn("t") }],
    });
  });

  it("asks with what a condition may look at: which attributes are to be answered", () => {
    expect(dynamodb("PutItem", { TableName: "t", ReturnValues: "ALL_OLD" })?.permissions).toEqual([
      {
        action: "dynamodb:PutItem",
        resource: tableArn("t"),
        keys: { "dynamodb:ReturnValues": "ALL_OLD" },
      },
    ]);
  });

  it("asks for the index, not the table, when one is read", () => {
    expect(dynamodb("Query", { TableName: "t", IndexName: "i" })?.permissions).toEqual([
      { action: "dynamodb:Query", resource: `${tableArn("t")}/index/i` },
    ]);
  });

  it("asks for each action of a transaction, and counts its items", () => {
    const TransactItems = [
      { Put: { TableName: "a" } },
      { Update: { TableName: "a" } },
      { Delete: { TableName: "b" } },
      { ConditionCheck: { TableName: "b" } },
    ];

    const operation = dynamodb("TransactWriteItems", { TransactItems });

    expect(operation).toMatchObject({ tables: ["a", "b"], transactionItems: 4 });
    expect(operation?.permissions.map(({ action }) => action)).toEqual([
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
      "dynamodb:DeleteItem",
      "dynamodb:ConditionCheckItem",
    ]);
  });

  it.each([
    ["TransactGetItems", { TransactItems: [{ Get: { TableName: "t" } }] }, "dynamodb:GetItem"],
    ["BatchGetItem", { RequestItems: { t: {} } }, "dynamodb:BatchGetItem"],
    ["BatchWriteItem", { RequestItems: { [tableArn("t")]: [] } }, "dynamodb:BatchWriteItem"],
  ])("asks for what %s needs", (name, input, action) => {
    expect(dynamodb(name, input)?.permissions).toEqual([{ action, resource: tableArn("t") }]);
  });

  it.each([
    ["SendMessage", "sqs:SendMessage"],
    ["SendMessageBatch", "sqs:SendMessage"],
    ["DeleteMessageBatch", "sqs:DeleteMessage"],
  ])("asks for the action of the queue operation %s", (name, action) => {
    expect(sqs(name, { QueueUrl: "http://127.0.0.1:1/000000000000/q" })).toMatchObject({
      queue: "q",
      permissions: [{ action, resource: "arn:aws:sqs:us-east-1:000000000000:q" }],
    });
  });

  it.each(["seal", "arn:aws:secretsmanager:us-east-1:000000000000:secret:seal"])(
    "asks for the operation on the secret %s",
    (SecretId) => {
      expect(readOperation("secretsmanager.GetSecretValue", { SecretId })).toMatchObject({
        service: "secretsmanager",
        permissions: [
          {
            action: "secretsmanager:GetSecretValue",
            resource: "arn:aws:secretsmanager:us-east-1:000000000000:secret:seal",
          },
        ],
      });
    },
  );

  it("knows no other service", () => {
    expect(readOperation("Kinesis_20131202.PutRecord", {})).toBeUndefined();
    expect(readOperation("", {})).toBeUndefined();
  });
});
