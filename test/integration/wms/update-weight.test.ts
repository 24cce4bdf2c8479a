import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barcodeOf } from "../../../shared/domain/orders/order.ts";
import { type Answer, at, listAt, numberAt } from "../../support/client.ts";
import { jobsOf } from "../../support/jobs.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, productOf } from "../../support/records.ts";
import { claimed, picked, shipped, storedOrder } from "../../support/warehouse.ts";

let service: OwnService;
/** Orders of account 100, one of each status, for calls that are refused. */
let orders: Readonly<Record<"Pending" | "Processing" | "Shipped" | "Cancelled", number>>;
beforeAll(async () => {
  service = await startService();
  const [pending = 0, processing = 0, leaving = 0, cancelled = 0] = await placed(4);
  await service.oms.post("/orders/cancel", { order_id: cancelled });
  for (const id of [processing, leaving]) await claimed(service.db, id);
  await ship(leaving);
  orders = { Pending: pending, Processing: processing, Shipped: leaving, Cancelled: cancelled };
});
afterAll(() => service.runtime.stop());

/** New orders of one mug each. */
async function placed(count: number): Promise<readonly number[]> {
  const { body } = await service.oms.post("/orders", {
    data: Array.from({ length: count }, () => orderOf()),
  });
  return listAt(body, "data").map((order) => numberAt(order, "order_id"));
}

async function inProcessing(count: number): Promise<readonly number[]> {
  const ids = await placed(count);
  await Promise.all(ids.map((id) => claimed(service.db, id)));
  return ids;
}

async function ship(id: number): Promise<void> {
  await picked(service.db, id, [{ sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 1 }]);
  await shipped(service.db, id);
}

const weigh = (data: unknown, headers = {}): Promise<Answer> =>
  service.wms.post("/orders/UpdateWeight", { data }, headers);

const record = (id: number, weight: unknown = 1) => ({ nbtybarcode: barcodeOf(id), weight });

const orderNow = async (id: number) => at((await service.oms.get(`/orders/${id}`)).body, "data");

const refusal = (message: string, path: string, continued: string) => ({
  response: { success: false, message, errors: [{ path, message: continued }] },
});

describe("weighing orders", () => {
  test("is accepted at once; a moment later the order shows its weight, when, and who asked", async () => {
    const [id = 0] = await inProcessing(1);
    const before = await orderNow(id);
    const answer = await weigh([record(id, 2.345)]);
    await service.runtime.settled();
    const after = await orderNow(id);

    const [job] = (await jobsOf(service.db, "weight")).filter(({ payload }) => payload["order_id"] === id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      response: {
        success: true,
        message: "The request is accepted and will be processed soon (weights: 1)",
      },
    });
    expect(before).toMatchObject({ weight: null, weight_updated_at: null, status: "Processing" });
    expect(after).toMatchObject({ weight: 2.345, weight_updated_at: job?.finished_at, status: "Processing" });
    expect(at(after, "updated_at")).toBe(job?.finished_at);
    expect(listAt(after, "history").at(-1)).toEqual({
      at: job?.finished_at,
      by: "user:manager",
      changed: ["weight", "weight_updated_at"],
    });
    expect(job).toMatchObject({ status: "applied", reason: null, attempts: 1, by: "user:manager" });
    expect(JSON.stringify(after)).not.toMatch(/weighed_by|reverted_by/);
  });

  test("takes a hundred at once, of any account, Processing or Shipped", async () => {
    const sku = productOf().sku;
    await service.omsOf(101).post("/inventory/products", { data: [productOf({ sku })] });
    const foreign = await service.omsOf(101).post("/orders", { data: [orderOf([{ sku, quantity: 1 }])] });
    const theirs = numberAt(foreign.body, "data.0.order_id");
    await claimed(service.db, theirs);
    const ours = await inProcessing(99);
    await ship(ours[0] ?? 0);
    const answer = await weigh([...ours, theirs].map((id, position) => record(id, position + 0.5)));
    await service.runtime.settled();

    const stored = await Promise.all(ours.map((id) => storedOrder(service.db, id)));
    const read = await service.omsOf(101).get(`/orders/${theirs}`);
    expect(answer.status).toBe(200);
    expect(stored.map(({ weight }) => weight)).toEqual(ours.map((_, position) => position + 0.5));
    expect(stored[0]?.status).toBe("Shipped");
    expect(at(read.body, "data.weight")).toBe(99.5);
  });

  test("again replaces the weight, and 0 is one", async () => {
    const [id = 0] = await inProcessing(1);
    for (const weight of [3, 0]) {
      await weigh([record(id, weight)]);
      await service.runtime.settled();
    }

    expect(await orderNow(id)).toMatchObject({ weight: 0 });
  });

  test("retried with its Idempotency-Key queues no second job", async () => {
    const [id = 0] = await inProcessing(1);
    const key = { "Idempotency-Key": `weigh-${id}` };
    const first = await weigh([record(id, 4)], key);
    const again = await weigh([record(id, 4)], key);
    await service.runtime.settled();

    const jobs = (await jobsOf(service.db, "weight")).filter(({ payload }) => payload["order_id"] === id);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(jobs).toHaveLength(1);
  });
});

describe("a wrong call is 400 and queues nothing", () => {
  const path = "data.1.nbtybarcode";
  const status = (is: string) =>
    `is of an order that is ${is}; only a Processing or Shipped order can be weighed`;

  test.each<[string, () => object, string, string]>([
    ["no barcode", () => ({ weight: 1 }), path, "is required"],
    ["an empty barcode", () => ({ nbtybarcode: "", weight: 1 }), path, "must not be empty"],
    ["a barcode that is a number", () => ({ nbtybarcode: 1001, weight: 1 }), path, "must be a string"],
    ["a barcode that is null", () => ({ nbtybarcode: null, weight: 1 }), path, "must be a string"],
    [
      "a barcode without end",
      () => ({ nbtybarcode: "N".repeat(101), weight: 1 }),
      path,
      "must have at most 100 characters",
    ],
    ["an unknown barcode", () => record(999_999_999), path, "is the barcode of no order (NB0999999999)"],
    ["an order id", () => ({ nbtybarcode: "1000", weight: 1 }), path, "is the barcode of no order (1000)"],
    ["a Pending order", () => record(orders.Pending), path, `${status("Pending")} (%)`],
    ["a Cancelled order", () => record(orders.Cancelled), path, `${status("Cancelled")} (%)`],
    ["a barcode twice", () => record(orders.Processing), path, "is in this call twice (%)"],
    ["no weight", () => ({ nbtybarcode: barcodeOf(orders.Shipped) }), "data.1.weight", "is required"],
    ["a weight that is text", () => record(orders.Shipped, "12"), "data.1.weight", "must be a number"],
    ["a weight that is null", () => record(orders.Shipped, null), "data.1.weight", "must be a number"],
    ["a weight that is true", () => record(orders.Shipped, true), "data.1.weight", "must be a number"],
    ["a weight below 0", () => record(orders.Shipped, -0.1), "data.1.weight", "must be at least 0"],
    [
      "a weight beyond all",
      () => record(orders.Shipped, 1e10),
      "data.1.weight",
      "must be at most 1000000000",
    ],
  ])("%s, beside a good record", async (_case, wrong, where, says) => {
    const before = await jobsOf(service.db, "weight");
    const sent = wrong();
    const continued = says.replace("%", String(at(sent, "nbtybarcode")));
    const answer = await weigh([record(orders.Processing), sent]);

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(refusal(`${where} ${continued}`, where, continued));
    expect(await jobsOf(service.db, "weight")).toEqual(before);
    expect(await orderNow(orders.Processing)).toMatchObject({ weight: null });
  });

  test("a weight that JSON writes and no number holds", async () => {
    const body = `{"data":[{"nbtybarcode":"${barcodeOf(orders.Processing)}","weight":1e999}]}`;
    const answer = await service.wms.send("POST", "/orders/UpdateWeight", body, {
      "content-type": "application/json",
    });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toMatch(/^data\.0\.weight must be/);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no records", { data: [] }],
    ["101 records", { data: Array.from({ length: 101 }, (_, id) => record(id + 1)) }],
    ["no data", { weights: [] }],
    ["data that is no list", { data: record(1) }],
    ["a bare list", [record(1)]],
    ["records that are none", { data: ["NB0000001001"] }],
  ])("%s for a body", async (_case, body) => {
    const answer = await service.wms.post("/orders/UpdateWeight", body);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ response: { success: false, message: expect.any(String) } });
  });
});
