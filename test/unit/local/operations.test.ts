import { describe, expect, test } from "vitest";
import type { TableDefinition } from "../../../infra/local/assembly/tables.ts";
import { LeadingKeys } from "../../../infra/local/proxy/leading-keys.ts";
import { readOperation } from "../../../infra/local/proxy/operations.ts";

const tableArn = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

const dynamodb = (name: string, input: unknown) => readOperation(`DynamoDB_20120810.${name}`, input);
const sqs = (name: string, input: unknown) => readOperation(`AmazonSQS.${name}`, input);

const things: TableDefinition = {
  TableName: "things",
  AttributeDefinitions: [],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "ofOwner",
      KeySchema: [{ AttributeName: "owner", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    },
  ],
};

describe("readOperation", () => {
  test("asks for the operation on the table", () => {
    expect(dynamodb("PutItem", { TableName: "t" })).toMatchObject({
      name: "PutItem",
      tables: ["t"],
      permissions: [{ action: "dynamodb:PutItem", resource: tableArn("t") }],
    });
  });

  test("asks with what a condition may look at: which attributes are to be answered", () => {
    expect(dynamodb("PutItem", { TableName: "t", ReturnValues: "ALL_OLD" })?.permissions).toEqual([
      {
        action: "dynamodb:PutItem",
        resource: tableArn("t"),
        keys: { "dynamodb:ReturnValues": ["ALL_OLD"] },
      },
    ]);
  });

  test("asks for the index, not the table, when one is read", () => {
    expect(dynamodb("Query", { TableName: "t", IndexName: "i" })?.permissions).toEqual([
      { action: "dynamodb:Query", resource: `${tableArn("t")}/index/i`, keys: {} },
    ]);
  });

  test("asks for each action of a transaction, and counts its items", () => {
    const Key = { pk: { S: "k" } };
    const TransactItems = [
      { Put: { TableName: "a", Item: Key } },
      { Update: { TableName: "a", Key } },
      { Delete: { TableName: "b", Key } },
      { ConditionCheck: { TableName: "b", Key } },
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

  test.each([
    ["TransactGetItems", { TransactItems: [{ Get: { TableName: "t", Key: {} } }] }, "dynamodb:GetItem"],
    ["BatchGetItem", { RequestItems: { t: { Keys: [{}] } } }, "dynamodb:BatchGetItem"],
    [
      "BatchWriteItem",
      { RequestItems: { [tableArn("t")]: [{ DeleteRequest: { Key: {} } }] } },
      "dynamodb:BatchWriteItem",
    ],
  ])("asks for what %s needs", (name, input, action) => {
    expect(dynamodb(name, input)?.permissions).toEqual([{ action, resource: tableArn("t"), keys: {} }]);
  });

  test("finds the partition keys of items, batches, transactions and queries, but none of queries of an index", () => {
    const keys = new LeadingKeys([things]);
    const ofThings = (name: string, input: object) =>
      readOperation(`DynamoDB_20120810.${name}`, input, keys)?.permissions.map(
        (permission) => permission.keys?.["dynamodb:LeadingKeys"],
      );
    const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "-" } });
    const query = {
      TableName: "things",
      KeyConditionExpression: "#a = :b AND sk BETWEEN :c AND :d",
      ExpressionAttributeValues: { ":b": { S: "wanted" }, ":c": { S: "1" }, ":d": { S: "2" } },
    };

    expect(ofThings("GetItem", { TableName: "things", Key: key("a") })).toEqual([["a"]]);
    expect(ofThings("PutItem", { TableName: "things", Item: key("b") })).toEqual([["b"]]);
    expect(ofThings("BatchGetItem", { RequestItems: { things: { Keys: [key("c"), key("d")] } } })).toEqual([
      ["c", "d"],
    ]);
    const TransactItems = [
      { Put: { TableName: "things", Item: key("e") } },
      { Update: { TableName: "things", Key: key("f") } },
    ];
    expect(ofThings("TransactWriteItems", { TransactItems })).toEqual([["e"], ["f"]]);
    expect(ofThings("Query", { ...query, ExpressionAttributeNames: { "#a": "pk" } })).toEqual([["wanted"]]);
    expect(
      ofThings("Query", { ...query, IndexName: "byOwner", ExpressionAttributeNames: { "#a": "pk" } }),
    ).toEqual([undefined]);
    expect(ofThings("Query", { ...query, ExpressionAttributeNames: { "#a": "owner" } })).toEqual([undefined]);
    expect(ofThings("Scan", { TableName: "things" })).toEqual([undefined]);
  });

  test.each([
    ["SendMessage", "sqs:SendMessage"],
    ["SendMessageBatch", "sqs:SendMessage"],
    ["DeleteMessageBatch", "sqs:DeleteMessage"],
    ["ChangeMessageVisibilityBatch", "sqs:ChangeMessageVisibility"],
  ])("asks for the action of the queue operation %s", (name, action) => {
    expect(sqs(name, { QueueUrl: "http://127.0.0.1:1/000000000000/q" })).toMatchObject({
      queue: "q",
      permissions: [{ action, resource: "arn:aws:sqs:us-east-1:000000000000:q" }],
    });
  });

  test.each(["seal", "arn:aws:secretsmanager:us-east-1:000000000000:secret:seal"])(
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

  test("knows no other service", () => {
    expect(readOperation("Kinesis_20131202.PutRecord", {})).toBeUndefined();
    expect(readOperation("", {})).toBeUndefined();
  });
});
