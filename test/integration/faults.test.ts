import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { jobLookup } from "../../shared/data/jobs.ts";
import { endClaims } from "../support/claims.ts";
import { at, listAt, numberAt } from "../support/client.ts";
import { expectBalanced } from "../support/ledger.ts";
import { orderOf, productOf, recountOf } from "../support/records.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ visibilityTimeoutSeconds: 2 });
});
afterAll(() => service.runtime.stop());
afterEach(() => service.runtime.faults.clear());

const transactions = { operation: "TransactWriteItems" } as const;

async function newProduct(): Promise<string> {
  const product = productOf();
  await service.oms.post("/inventory/products", { data: [product] });
  return product.sku;
}

const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");
const recount = (sku: string, headers = {}) =>
  service.wms.post("/recount", recountOf(sku, [{ location: "A1", bin: "03", qty: 4 }]), headers);
const statusOf = async (id: number) => at((await service.wms.get(`/recount/${id}`)).body, "data.status");

describe("creating an order", () => {
  test("survives transaction conflicts and stores the order once", async () => {
    const sku = await newProduct();
    const before = await total();
    const fault = service.runtime.faults.add({ effect: "conflict", ...transactions, times: 3 });
    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 2 }])] });

    expect([created.status, fault.hits]).toEqual([200, 3]);
    expect(await total()).toBe(before + 1);
    expect((await expectBalanced(service.db, sku)).reserved).toBe(2);
  });

  test("survives throttled reads and writes", async () => {
    const sku = await newProduct();
    const operations = ["GetItem", "BatchGetItem", "UpdateItem", "TransactWriteItems"];
    const faults = operations.map((operation) =>
      service.runtime.faults.add({ effect: "throttle", operation }),
    );
    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 2 }])] });

    expect(created.status).toBe(200);
    expect(faults.map(({ hits }) => hits)).toEqual([1, 1, 1, 1]);
    expect((await expectBalanced(service.db, sku)).reserved).toBe(2);
  });

  test("whose stored transaction's answer is lost stores the order once and answers it", async () => {
    const sku = await newProduct();
    const before = await total();
    const fault = service.runtime.faults.add({ effect: "lose-response", ...transactions });
    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 2 }])] });

    expect([created.status, fault.hits]).toEqual([200, 1]);
    expect(await total()).toBe(before + 1);
    expect((await expectBalanced(service.db, sku)).reserved).toBe(2);
  });

  test("that conflicts without end fails with a masked 500 and nothing half done", async () => {
    const sku = await newProduct();
    const before = await total();
    service.runtime.faults.add({ effect: "conflict", ...transactions, times: 1000 });
    const order = orderOf([{ sku, quantity: 2 }]);
    const refused = await service.oms.post("/orders", { data: [order] });
    service.runtime.faults.clear();
    const retried = await service.oms.post("/orders", { data: [order] });

    expect(refused.status).toBe(500);
    expect(JSON.stringify(refused.body)).not.toMatch(/Transaction|Dynamo/i);
    expect(retried.status).toBe(200);
    expect(await total()).toBe(before + 1);
    expect((await expectBalanced(service.db, sku)).reserved).toBe(2);
  });

  test("by a function that dies right after its write can be retried without a second order", async () => {
    const sku = await newProduct();
    const before = await total();
    service.runtime.faults.add({ effect: "kill-after", ...transactions });
    const order = orderOf([{ sku, quantity: 2 }]);
    const died = await service.oms.post("/orders", { data: [order] });
    const retried = await service.oms.post("/orders", { data: [order] });

    expect(died.status).toBe(500);
    expect(retried.status).toBe(400);
    expect(at(retried.body, "response.message")).toBe(
      `data.0.order_number already exists (${order.order_number})`,
    );
    expect(await total()).toBe(before + 1);
    expect((await expectBalanced(service.db, sku)).reserved).toBe(2);
  });
});

test("a bulk call that fails half way says which records are stored, and shows no more of them than ever", async () => {
  const sku = await newProduct();
  const before = await total();
  service.runtime.faults.add({ effect: "error", ...transactions, skip: 1, times: 20 });
  const data = Array.from({ length: 100 }, () => orderOf([{ sku, quantity: 1 }]));
  const answer = await service.oms.post("/orders", { data });
  service.runtime.faults.clear();

  const results = listAt(answer.body, "data");
  const stored = results.filter((result) => at(result, "success") === true);
  expect(answer.status).toBe(400);
  expect(results).toHaveLength(100);
  expect(at(results.at(-1), "message")).toMatch(/^could not be stored just now/);
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.length).toBeLessThan(100);
  expect(at(stored[0], "account_id")).toBeUndefined();
  expect(await total()).toBe(before + stored.length);
  expect((await expectBalanced(service.db, sku)).reserved).toBe(stored.length);
});

describe("a recount job", () => {
  test.each(["kill-before", "kill-after", "conflict", "throttle", "error", "lose-response"] as const)(
    "takes effect exactly once through %s in its worker",
    async (effect) => {
      const sku = await newProduct();
      const fault = service.runtime.faults.add({
        effect,
        ...transactions,
        function: "jobs/apply-recount",
        times: 2,
      });
      const answer = await recount(sku);
      await fault.exhausted;
      await service.runtime.settled();

      expect(await statusOf(numberAt(answer.body, "result.0.correction_id"))).toBe("applied");
      const ledger = await expectBalanced(service.db, sku);
      expect([ledger.on_hand, ledger.movements.length]).toEqual([4, 1]);
    },
  );

  test("whose message was lost is sent again by the sweeper, and only when it is overdue", async () => {
    const sku = await newProduct();
    service.runtime.faults.add({ effect: "drop", operation: "SendMessageBatch", times: 3 });
    const answer = await recount(sku);
    const id = numberAt(answer.body, "result.0.correction_id");
    service.runtime.faults.clear();
    await service.runtime.runSchedule("jobs/sweep-jobs");
    await service.runtime.settled();
    const early = await statusOf(id);
    await makeOverdue(id, 0);
    await service.runtime.runSchedule("jobs/sweep-jobs");
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    expect([early, await statusOf(id)]).toEqual(["queued", "applied"]);
    expect(await expectBalanced(service.db, sku)).toMatchObject({ on_hand: 4 });
  });

  test("that a later count overtook is superseded, and the later count stays", async () => {
    const sku = await newProduct();
    const count = (qty_in_bin: number) =>
      service.wms.post("/recount", recountOf(sku, [{ location: "A1", bin: "03", qty_in_bin }]));
    service.runtime.faults.add({ effect: "drop", operation: "SendMessageBatch", times: 3 });
    const earlier = numberAt((await count(10)).body, "result.0.correction_id");
    service.runtime.faults.clear();
    const later = numberAt((await count(25)).body, "result.0.correction_id");
    await service.runtime.settled();
    await makeOverdue(earlier, 0);
    await service.runtime.runSchedule("jobs/sweep-jobs");
    await service.runtime.settled();

    expect((await service.wms.get(`/recount/${earlier}`)).body).toMatchObject({
      data: { status: "failed", reason: `superseded by correction ${later}, a later count` },
    });
    expect(await expectBalanced(service.db, sku)).toMatchObject({ on_hand: 25 });
  });

  test("that was sent again in vain for days ends as failed with the reason, whatever lies beside it", async () => {
    const sku = await newProduct();
    service.runtime.faults.add({ effect: "drop", operation: "SendMessageBatch", times: 3 });
    const id = numberAt((await recount(sku)).body, "result.0.correction_id");
    service.runtime.faults.clear();
    await makeOverdue(id, 8);
    await service.db.client.send(
      new PutCommand({
        TableName: service.db.tableName("jobs"),
        Item: {
          pk: "recount#0",
          sk: "unreadable",
          queued_shard: "queued#0",
          check_at: "2026-01-01T00:00:00.000Z",
        },
      }),
    );
    await service.runtime.runSchedule("jobs/sweep-jobs");

    expect((await service.wms.get(`/recount/${id}`)).body).toMatchObject({
      data: { status: "failed", reason: "not applied though it was sent 9 times" },
    });
    expect(await expectBalanced(service.db, sku)).toMatchObject({ on_hand: 0 });
  });

  test("that fails at every delivery ends as failed, its message in the dead-letter queue, its neighbours applied", async () => {
    const [poisoned, good] = [await newProduct(), await newProduct()];
    await service.runtime.pause();
    const bad = numberAt((await recount(poisoned)).body, "result.0.correction_id");
    const fine = numberAt((await recount(good)).body, "result.0.correction_id");
    const product = at((await service.oms.get(`/inventory/products/${poisoned}`)).body, "data.product_id");
    await service.db.client.send(
      new PutCommand({
        TableName: service.db.tableName("inventory"),
        Item: { pk: `bins#${product}`, sk: "A1#03", quantity: "broken" },
      }),
    );
    service.runtime.resume();
    await service.runtime.settled();

    expect((await service.wms.get(`/recount/${bad}`)).body).toMatchObject({
      data: { status: "failed", reason: "not applied in 5 attempts", attempts: 5 },
    });
    expect((await service.wms.get(`/recount/${fine}`)).body).toMatchObject({
      data: { status: "applied", attempts: 1 },
    });
    expect(await deadLetters()).toBe(1);
  });
});

describe("an idempotent recount", () => {
  test("by a function that dies right after its write is answered from its key, and takes effect once", async () => {
    const sku = await newProduct();
    const key = { "Idempotency-Key": "recount-that-dies" };
    service.runtime.faults.add({ effect: "kill-after", ...transactions, function: "wms/recount" });
    const died = await recount(sku, key);
    const tooEarly = await recount(sku, key);
    await endClaims(service.db);
    const retried = await recount(sku, key);
    await makeOverdue(numberAt(retried.body, "result.0.correction_id"), 0);
    await service.runtime.runSchedule("jobs/sweep-jobs");
    await service.runtime.settled();

    expect([died.status, tooEarly.status, retried.status]).toEqual([500, 429, 200]);
    expect(tooEarly.headers.get("retry-after")).toBe("1");
    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    expect(await expectBalanced(service.db, sku)).toMatchObject({ on_hand: 4 });
  });

  test("by a function that dies right before its write runs again on a retry", async () => {
    const sku = await newProduct();
    const key = { "Idempotency-Key": "recount-that-died-early" };
    service.runtime.faults.add({ effect: "kill-before", ...transactions, function: "wms/recount" });
    const died = await recount(sku, key);
    await endClaims(service.db);
    const retried = await recount(sku, key);
    await service.runtime.settled();

    expect([died.status, retried.status]).toEqual([500, 200]);
    expect(retried.headers.get("idempotent-replayed")).toBeNull();
    expect(await expectBalanced(service.db, sku)).toMatchObject({ on_hand: 4 });
  });
});

/** As if the time had come at which the sweeper looks after a job. */
async function makeOverdue(id: number, resent: number): Promise<void> {
  const { table, key } = jobLookup("recount", id);
  await service.db.client.send(
    new UpdateCommand({
      TableName: service.db.tableName(table),
      Key: { ...key },
      UpdateExpression: "SET check_at = :past, resent = :resent",
      ExpressionAttributeValues: { ":past": "2026-01-01T00:00:00.000Z", ":resent": resent },
    }),
  );
}

async function deadLetters(): Promise<number> {
  const { endpoint, deadLetterQueues } = service.runtime.sqs;
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const sqs = new SQSClient({ endpoint, region: "us-east-1", credentials });
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: deadLetterQueues["QUEUE_RECOUNT"],
      AttributeNames: ["ApproximateNumberOfMessages"],
    }),
  );
  sqs.destroy();
  return Number(Attributes["ApproximateNumberOfMessages"]);
}
