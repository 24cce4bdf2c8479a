import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { Random } from "../../simulation/schedule/random.ts";
import { compareTexts } from "../../simulation/store/values.ts";
import { newConnection } from "../../simulation/world/connection.ts";
import { unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

type Call = (db: Database) => Promise<unknown>;

/** What a call returns, or which exception it throws and why. */
async function outcomeOf(db: Database, call: Call): Promise<unknown> {
  try {
    const { $metadata: _, ConsumedCapacity: _units, ...answer } = Object(await call(db));
    return answer;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { CancellationReasons = [], Item } = Object(error);
    const reasons = CancellationReasons.map(({ Code, Item: item }: Record<string, unknown>) => ({
      Code,
      item,
    }));
    return { name: error.name, reasons, Item };
  }
}

/** Random calls about a few items of one partition, in the forms that the service uses. */
function callsOf(random: Random, pk: string): Call {
  const key = () => ({ pk, sk: random.of(["a", "b", "c", "ä", "b#1"]) });
  const cell = () => random.of(["1|1", "4|1", "4|2", "10|1"]);
  const number = () => random.below(5) - 1;
  const change = () => {
    const Key = key();
    return random.of([
      {
        Key,
        UpdateExpression: "SET #cell = :cell, #day = :day ADD #count :by",
        ExpressionAttributeNames: { "#cell": "cell", "#day": "day", "#count": "count" },
        ExpressionAttributeValues: { ":cell": cell(), ":day": number(), ":by": number() },
      },
      {
        Key,
        UpdateExpression: "SET #list = list_append(if_not_exists(#list, :none), :more) REMOVE #cell",
        ConditionExpression: "attribute_exists(#pk) AND #count >= :least",
        ExpressionAttributeNames: { "#list": "list", "#cell": "cell", "#pk": "pk", "#count": "count" },
        ExpressionAttributeValues: { ":none": [], ":more": [number()], ":least": number() },
      },
      {
        Key,
        UpdateExpression: "SET #next = if_not_exists(#next, :zero) + :one",
        ConditionExpression: "(#cell = :cell OR attribute_not_exists(#cell))",
        ExpressionAttributeNames: { "#next": "next", "#cell": "cell" },
        ExpressionAttributeValues: { ":zero": 0, ":one": 1, ":cell": cell() },
      },
    ]);
  };
  const put = () => ({
    Item: { ...key(), cell: cell(), day: number(), count: number(), bytes: new Uint8Array([1, 2]) },
    ...(random.happens(0.5) && { ConditionExpression: "attribute_not_exists(pk)" }),
  });
  const removal = () => ({
    Key: key(),
    ConditionExpression: "#count <= :most",
    ExpressionAttributeNames: { "#count": "count" },
    ExpressionAttributeValues: { ":most": number() },
  });
  const shown = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
  switch (random.below(8)) {
    case 0: {
      const input = put();
      return (db) => db.client.send(new PutCommand({ TableName: db.tableName("orders"), ...input }));
    }
    case 1: {
      const input = { ...change(), ...shown, ReturnValues: random.of(["ALL_NEW", "UPDATED_NEW"] as const) };
      return (db) => db.client.send(new UpdateCommand({ TableName: db.tableName("orders"), ...input }));
    }
    case 2: {
      const input = removal();
      return (db) => db.client.send(new DeleteCommand({ TableName: db.tableName("orders"), ...input }));
    }
    case 3: {
      const writes = [
        { Put: put() },
        { Update: { ...change(), ...shown } },
        { Delete: { ...removal(), ...shown } },
      ];
      const first = random.of(writes);
      const others = writes.filter(() => random.happens(0.5));
      // Both refuse two writes of one item, DynamoDB Local for varying reasons.
      const chosen = [...new Map([first, ...others].map((write) => [keyIn(write), write])).values()];
      const ClientRequestToken = random.uuid();
      return (db) => {
        const named = <T>(write: T | undefined) => write && { TableName: db.tableName("orders"), ...write };
        const TransactItems = chosen.map((write) => ({
          ...("Put" in write && { Put: named(write.Put) }),
          ...("Update" in write && { Update: named(write.Update) }),
          ...("Delete" in write && { Delete: named(write.Delete) }),
        }));
        return db.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
      };
    }
    case 4: {
      const Keys = [
        { pk, sk: "a" },
        { pk, sk: "ä" },
        { pk, sk: "none" },
      ];
      return async (db) => {
        const table = db.tableName("orders");
        const projection = {
          ProjectionExpression: "#a, #b",
          ExpressionAttributeNames: { "#a": "sk", "#b": "count" },
        };
        const input = { RequestItems: { [table]: { Keys, ConsistentRead: true, ...projection } } };
        const { Responses = {} } = await db.client.send(new BatchGetCommand(input));
        const found = Responses[table] ?? [];
        return {
          found: found.toSorted((left, right) => (String(left["sk"]) < String(right["sk"]) ? -1 : 1)),
        };
      };
    }
    case 5: {
      const input = { Key: key(), ConsistentRead: true };
      return (db) => db.client.send(new GetCommand({ TableName: db.tableName("orders"), ...input }));
    }
    default: {
      const isIndex = random.happens(0.5);
      const [from = "", to = ""] = [cell(), cell()].sort();
      const condition = random.of([
        { text: "", values: {} },
        {
          text: " AND #sk BETWEEN :from AND :to",
          values: isIndex ? { ":from": from, ":to": to } : { ":from": "a", ":to": "b#1" },
        },
        { text: " AND begins_with(#sk, :begins)", values: { ":begins": isIndex ? "4|" : "b" } },
      ]);
      const input = {
        KeyConditionExpression: `#pk = :pk${condition.text}`,
        ExpressionAttributeNames: { "#pk": "pk", ...(condition.text && { "#sk": isIndex ? "cell" : "sk" }) },
        ExpressionAttributeValues: { ":pk": pk, ...condition.values },
        ConsistentRead: true,
        ScanIndexForward: random.happens(0.5),
        ...(isIndex && { IndexName: "cells" }),
        // Items with the same key of an index have no defined order, so a limit would choose among them.
        ...(!isIndex && random.happens(0.5) && { Limit: 1 + random.below(4) }),
        ...(random.happens(0.2) && { Select: "COUNT" as const }),
      };
      return async (db) => {
        const query = { TableName: db.tableName("orders"), ...input };
        const first = await db.client.send(new QueryCommand(query));
        const start = first.LastEvaluatedKey;
        const second =
          start && (await db.client.send(new QueryCommand({ ...query, ExclusiveStartKey: start })));
        // Whether a position is named after the last item is not defined.
        return { first: outputOf(first), second: second?.Count ? outputOf(second) : undefined };
      };
    }
  }
}

/** The sort key of the item that a write is about. */
const keyIn = (write: object): string => /"sk":"([^"]+)"/.exec(JSON.stringify(write))?.[1] ?? "";

const outputOf = ({ Items, Count, ScannedCount }: QueryCommandOutput) => ({
  items: Items?.toSorted((left, right) => compareTexts(textOf(left), textOf(right))),
  Count,
  ScannedCount,
});

const textOf = ({ cell, sk }: Readonly<Record<string, unknown>>): string => `${cell} ${sk}`;

describe("the simulated store", () => {
  test.each([1, 2, 3])("answers and refuses random calls as DynamoDB Local does (seed %i)", async (seed) => {
    const random = new Random(seed);
    const [simulated, pk] = [newConnection(), unique("simulated")];

    for (let count = 0; count < 150; count += 1) {
      const call = callsOf(random, pk);
      const [expected, actual] = [await outcomeOf(service.db, call), await outcomeOf(simulated, call)];
      expect({ count, actual }).toEqual({ count, actual: expected });
    }
  });
});
