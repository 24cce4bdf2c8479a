import { describe, expect, onTestFinished, test } from "vitest";
import type { FaultRule } from "../../../../infra/local/index.ts";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { claimedOrder, newProduct, pendingOrder } from "../../../support/business/world.ts";
import { type Answer, at, listAt, numberAt, requestId } from "../../../support/http/client.ts";
import { orderOf, recountOf, unique } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";
import { jobsOf } from "../../../support/store/job-records.ts";
import { takeMessages } from "../../../support/store/jobs.ts";

const service = await ownService();

const processing = await claimedOrder(service, [{ sku: "DEMO-MUG", quantity: 1 }]);

const transactions = { operation: "TransactWriteItems" } as const;

const total = async () =>
  numberAt((await service.oms.get("/orders?per_page=1")).body, "metadata.total_records");

describe("creating an order", () => {
  const operations = ["GetItem", "BatchGetItem", "UpdateItem", "TransactWriteItems"];
  const throttled = operations.map((operation): FaultRule => ({ effect: "throttle", operation }));

  test.each<[string, readonly FaultRule[]]>([
    ["transactions conflict", [{ effect: "conflict", ...transactions, times: 3 }]],
    ["reads and writes are throttled", throttled],
    ["the answer to its stored transaction is lost", [{ effect: "lose-response", ...transactions }]],
  ])("stores the order once though %s", async (_trouble, rules) => {
    const { sku } = await newProduct(service);
    const before = await total();
    const faults = rules.map((rule) => service.runtime.faults.add(rule));
    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 2 }])] });

    expect(created.status).toBe(200);
    expect(faults.map(({ hits }) => hits)).toEqual(rules.map(({ times = 1 }) => times));
    expect(await total()).toBe(before + 1);
    expect((await expectBalanceAndMovements(service, sku)).reserved).toBe(2);
  });

  test("by a function that dies right after its write can be retried without a second order", async () => {
    const { sku } = await newProduct(service);
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
    expect((await expectBalanceAndMovements(service, sku)).reserved).toBe(2);
  });
});

test("a bulk call that fails half way says which records are stored, and shows no more of them than ever", async () => {
  const { sku } = await newProduct(service);
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
  expect((await expectBalanceAndMovements(service, sku)).reserved).toBe(stored.length);
});

test("an Idempotency-Key is not used up by a failure of the service", async () => {
  const [headers, body] = [{ "Idempotency-Key": unique("key") }, { data: [orderOf()] }];
  service.runtime.faults.add({ effect: "error", ...transactions, times: 20 });
  const failed = await service.oms.post("/orders", body, headers);
  service.runtime.faults.clear();
  const retried = await service.oms.post("/orders", body, headers);

  expect([failed.status, retried.status]).toEqual([500, 200]);
  expect(failed.body).toEqual({ response: { success: false, message: expect.any(String) } });
});

test("an idempotent recount of a hundred entries, by a function that dies right after its write, is answered at once by a retry", async () => {
  await service.runtime.pause();
  // Nothing is asked of the effects of its hundred jobs: their messages are taken away.
  onTestFinished(async () => {
    await takeMessages(service.runtime, "recount");
    service.runtime.resume();
  });
  const { sku } = await newProduct(service);
  const key = { "Idempotency-Key": "large-recount-that-dies" };
  const body = recountOf(sku, Array(100).fill({ location: "A1", bin: "03", qty: 1 }));
  service.runtime.faults.add({ effect: "kill-after", ...transactions, function: "wms/recount" });
  const died = await service.wms.post("/recount", body, key);
  const retried = await service.wms.post("/recount", body, key);
  const jobs = await jobsOf(service.db, "recount");

  expect([died.status, retried.status]).toEqual([500, 200]);
  expect(retried.headers.get("idempotent-replayed")).toBe("true");
  const ids = listAt(retried.body, "result").map((entry) => numberAt(entry, "correction_id"));
  expect(ids).toHaveLength(100);
  expect(jobs.flatMap(({ job_id, payload }) => (payload["sku"] === sku ? [job_id] : []))).toEqual(ids);
});

describe("a failure of the service", () => {
  test.each<[string, string, string, () => Promise<Answer>]>([
    ["authentication", "oms/ping", "GetItem", () => service.oms.post("/ping")],
    ["a list", "oms/orders/list-orders", "Query", () => service.oms.get("/orders")],
    [
      "a create",
      "oms/orders/create-orders",
      "TransactWriteItems",
      () => service.oms.post("/orders", { data: [orderOf()] }),
    ],
    [
      "a recount",
      "wms/recount",
      "TransactWriteItems",
      () => service.wms.post("/recount", recountOf("DEMO-CAP", [{ location: "B1", bin: "01", qty: 1 }])),
    ],
    [
      "a weight",
      "wms/update-weight",
      "TransactWriteItems",
      () =>
        service.wms.post("/orders/UpdateWeight", {
          data: [{ nbtybarcode: barcodeOf(processing), weight: 1 }],
        }),
    ],
    [
      "a revert",
      "wms/revert-shipments",
      "TransactWriteItems",
      () => service.wms.post("/shipments/revert/pending", { shipments_list: [processing] }),
    ],
  ])("in %s is 500 with the fixed message and the request id", async (_case, name, operation, call) => {
    const fault = service.runtime.faults.add({ effect: "error", function: name, operation, times: 100 });

    const answer = await call();
    fault.remove();
    const after = await service.oms.post("/ping");

    const id = answer.headers.get("x-request-id");
    const message = `The service failed to answer; nothing is known to be wrong with the request (${id})`;
    expect(fault.hits).toBeGreaterThan(0);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(id).toMatch(requestId);
    expect(answer.body).toEqual({ response: { success: false, message } });
    expect(JSON.stringify(answer.body)).not.toMatch(/internal server error|dynamo|table|at .*:\d+/i);
    expect(after.status).toBe(200);
  });
});

test("a call whose order number is taken after its validation says for each record whether it was stored", async () => {
  const rival = await pendingOrder(service, undefined);
  const [first, taken, last] = [orderOf(), orderOf(), orderOf()];
  // The call has been validated once it takes its ids. It is held there while another order takes the number.
  const slow = {
    effect: "throttle",
    function: "oms/orders/create-orders",
    operation: "UpdateItem",
  } as const;
  const reached = service.runtime.faults.add(slow);
  const held = service.runtime.faults.add({ ...slow, times: 1000 });
  const before = await total();

  const calling = service.oms.post("/orders", { data: [first, taken, last] });
  await reached.exhausted;
  const renamed = await service.oms.put("/orders", {
    data: [{ ...orderOf(undefined, { order_number: taken.order_number }), order_id: rival }],
  });
  held.remove();
  const answer = await calling;
  const after = await total();
  const found = await service.oms.get(`/orders/${taken.order_number}?identify_by=order_number`);

  expect(renamed.status).toBe(200);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    response: {
      success: false,
      message: `1 of 3 records were not stored: data.1.order_number already exists (${taken.order_number})`,
      errors: [
        {
          path: "data.1.order_number",
          message: `already exists (${taken.order_number})`,
          code: "already_exists",
        },
      ],
    },
    data: [
      expect.objectContaining({ success: true, order_number: first.order_number, status: "Pending" }),
      { success: false, message: `data.1.order_number already exists (${taken.order_number})` },
      expect.objectContaining({ success: true, order_number: last.order_number, status: "Pending" }),
    ],
  });
  expect(after).toBe(before + 2);
  expect(at(found.body, "data.order_id")).toBe(rival);
});
