import { describe, expect, test } from "vitest";
import type { Charge } from "../../../infra/local/index.ts";
import { running } from "./fixture/fixture.ts";
import { stepsHandler } from "./fixture/handlers.ts";
import { codeOf, type Step, takeSteps } from "./steps.ts";

const writes = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem"];
const reads = ["GetItem", "BatchGetItem", "Query", "Scan"];
const { runtime, steps } = await running({
  caller: { code: stepsHandler, tableActions: [...writes, ...reads] },
});
runtime.recordCapacity(true);

const keyOf = (pk: string, sk = "-") => ({ pk: { S: pk }, sk: { S: sk } });

/** An item with about so many bytes besides its key. */
const itemOf = (pk: string, bytes: number, more: object = {}) => ({
  ...keyOf(pk),
  ...more,
  text: { S: "x".repeat(bytes) },
});

const owner = (name: string) => ({ owner: { S: name } });

const put = (Item: object, more: object = {}): Step => steps.dynamodb("PutItem", { Item, ...more });

const set = (pk: string, name: string, value: string): Step =>
  steps.dynamodb("UpdateItem", {
    Key: keyOf(pk),
    UpdateExpression: "SET #n = :v",
    ExpressionAttributeNames: { "#n": name },
    ExpressionAttributeValues: { ":v": { S: value } },
  });

const transaction = (items: readonly object[], operation = "TransactWriteItems"): Step => {
  const TableName = runtime.dynamodb.tables["TABLE_THINGS"];
  const TransactItems = items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([kind, request]) => [kind, { TableName, ...request }])),
  );
  return { service: "dynamodb", operation, input: { TransactItems } };
};

const batch = (operation: string, request: unknown): Step => ({
  service: "dynamodb",
  operation,
  input: { RequestItems: { [runtime.dynamodb.tables["TABLE_THINGS"] ?? ""]: request } },
});

const query = (pk: string, more: object = {}): Step =>
  steps.dynamodb("Query", {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: pk } },
    ...more,
  });

/** What the last of these steps cost: its units by table (`-`) or index, and how it ended. */
async function costOf(...taken: readonly Step[]) {
  await takeSteps(runtime, "caller", taken.slice(0, -1));
  const mark = runtime.mark();
  const [result] = await takeSteps(runtime, "caller", taken.slice(-1));
  const units: Record<string, number> = {};
  const charges: readonly Charge[] = runtime.calls(mark).flatMap((call) => call.charges);
  for (const { index = "-", units: own } of charges) units[index] = (units[index] ?? 0) + own;
  return { code: codeOf(result), ...units };
}

describe("a write costs", () => {
  test("by the item's size, and for each index that has an entry of it", async () => {
    expect(await costOf(put(itemOf("small", 500)))).toEqual({ "-": 1 });
    expect(await costOf(put(itemOf("large", 1500, owner("a"))))).toEqual({ "-": 2, byOwner: 1, ofOwner: 2 });
  });

  test("an update the larger of both sizes, and only the indexes that it changes", async () => {
    const stored = put(itemOf("update", 1500, owner("a")));

    expect(await costOf(stored, set("update", "text", "short"))).toEqual({ "-": 2, ofOwner: 2 });
    expect(await costOf(set("update", "owner", "b"))).toEqual({ "-": 1, byOwner: 2, ofOwner: 2 });
    expect(await costOf(set("update", "owner", "b"))).toEqual({ "-": 1 });
  });

  test("a deletion what was there, in the indexes too", async () => {
    const removal = steps.dynamodb("DeleteItem", { Key: keyOf("gone") });

    expect(await costOf(put(itemOf("gone", 1500, owner("a"))), removal)).toEqual({
      "-": 2,
      byOwner: 1,
      ofOwner: 2,
    });
    expect(await costOf(removal)).toEqual({ "-": 1 });
  });

  test("each item of a batch by itself", async () => {
    const requests = [500, 3500].map((bytes) => ({ PutRequest: { Item: itemOf(`batch-${bytes}`, bytes) } }));

    expect(await costOf(batch("BatchWriteItem", requests))).toEqual({ "-": 1 + 4 });
  });

  test("each item of a transaction twice, but its index entries once", async () => {
    const items = [
      { Put: { Item: itemOf("transaction", 100, owner("a")) } },
      {
        Update: {
          Key: keyOf("counter"),
          UpdateExpression: "ADD n :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      },
      { ConditionCheck: { Key: keyOf("large"), ConditionExpression: "attribute_exists(pk)" } },
    ];

    expect(await costOf(transaction(items))).toEqual({ "-": 2 * (1 + 1 + 2), byOwner: 1, ofOwner: 1 });
  });

  test("a rejected one costs the existing item, and nothing if the request was invalid", async () => {
    const ConditionExpression = "attribute_not_exists(pk)";
    const refused = put(itemOf("held", 100, owner("a")), { ConditionExpression });
    const cancelled = transaction([
      { Put: { Item: itemOf("held", 100), ConditionExpression } },
      { Put: { Item: itemOf("new", 100) } },
    ]);

    expect(await costOf(put(itemOf("held", 1500)), refused)).toEqual({
      code: "ConditionalCheckFailedException",
      "-": 2,
    });
    expect(await costOf(cancelled)).toEqual({ code: "TransactionCanceledException", "-": 2 * (2 + 1) });
    expect(await costOf(put({ pk: { S: "no sort key" } }))).toEqual({ code: "ValidationException" });
  });
});

describe("a read costs", () => {
  const get = (pk: string, more: object = {}): Step => steps.dynamodb("GetItem", { Key: keyOf(pk), ...more });

  test("by the item's size and consistency, and as the smallest item if it is missing", async () => {
    const stored = put(itemOf("read", 5000));

    expect(await costOf(stored, get("read"))).toEqual({ "-": 1 });
    expect(await costOf(get("read", { ConsistentRead: true, ProjectionExpression: "pk" }))).toEqual({
      "-": 2,
    });
    expect(await costOf(get("missing"))).toEqual({ "-": 0.5 });
    expect(await costOf(get("missing", { ConsistentRead: true }))).toEqual({ "-": 1 });
  });

  test("each item of a batch or a transaction by itself", async () => {
    const Keys = ["read", "missing", "missing-too"].map((pk) => keyOf(pk));
    const gets = Keys.map((Key) => ({ Get: { Key } }));

    expect(await costOf(batch("BatchGetItem", { Keys }))).toEqual({ "-": 0.5 * (2 + 1 + 1) });
    expect(await costOf(batch("BatchGetItem", { Keys, ConsistentRead: true }))).toEqual({ "-": 4 });
    expect(await costOf(transaction(gets, "TransactGetItems"))).toEqual({ "-": 2 * (2 + 1 + 1) });
  });

  test("a query the sum of what it evaluates, whatever it answers", async () => {
    const stored = ["1", "2", "3"].map((sk) =>
      put({ ...itemOf("range", 3000, owner(sk)), ...keyOf("range", sk) }),
    );
    const filter = {
      FilterExpression: "#o = :o",
      ExpressionAttributeNames: { "#o": "owner" },
      ExpressionAttributeValues: { ":pk": { S: "range" }, ":o": { S: "1" } },
    };

    expect(await costOf(...stored, query("range", { ConsistentRead: true }))).toEqual({ "-": 3 });
    expect(await costOf(query("range", { Select: "COUNT" }))).toEqual({ "-": 1.5 });
    expect(await costOf(query("range", filter))).toEqual({ "-": 1.5 });
    expect(await costOf(query("range", { IndexName: "byOwner" }))).toEqual({ byOwner: 0.5 });
    expect(await costOf(query("nobody", { ConsistentRead: true }))).toEqual({ "-": 1 });
  });
});

test("reads and writes are summed apart, and only while that is asked for", async () => {
  const taken = [steps.put("summed"), steps.get("summed")];
  const mark = runtime.mark();

  await takeSteps(runtime, "caller", taken);
  runtime.recordCapacity(false);
  await takeSteps(runtime, "caller", taken);
  runtime.recordCapacity(true);

  expect(runtime.summary(mark)).toMatchObject({ count: 4, readUnits: 1, writeUnits: 1 });
});
