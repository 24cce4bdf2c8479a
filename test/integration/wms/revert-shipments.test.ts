import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../support/client.ts";
import { jobsOf, sendMessages, takeMessages } from "../../support/jobs.ts";
import { ledgerOf } from "../../support/ledger.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf, productOf, recountOf } from "../../support/records.ts";
import { claimed, picked, shipped, storedOrder } from "../../support/warehouse.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

const [near, far] = [
  { location: "A1", bin: "03" },
  { location: "B1", bin: "03" },
];

/** A product of account 100 with goods in two bins. */
async function stocked(nearby: number, faraway: number): Promise<string> {
  const { sku } = productOf();
  await service.oms.post("/inventory/products", { data: [productOf({ sku })] });
  await recount(sku, [
    { ...near, qty_in_bin: nearby },
    { ...far, qty_in_bin: faraway },
  ]);
  return sku;
}

async function recount(sku: string, bins: Parameters<typeof recountOf>[1]): Promise<void> {
  await service.wms.post("/recount", recountOf(sku, bins));
  await service.runtime.settled();
}

/** An order in Processing, claimed by `manager`. */
async function processing(sku: string, quantity: number): Promise<number> {
  const { body } = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity }])] });
  const id = numberAt(body, "data.0.order_id");
  await claimed(service.db, id);
  return id;
}

async function binsOf(sku: string): Promise<readonly unknown[]> {
  const product = await service.oms.get(`/inventory/products/${sku}`);
  const id = numberAt(product.body, "data.product_id");
  const { body } = await service.wms.get(`/inventory/products/${id}/bin`);
  return listAt(body, "bin_list").map((entry) => at(entry, "Quantity"));
}

const revert = (shipments_list: unknown, headers = {}): Promise<Answer> =>
  service.wms.post("/shipments/revert/pending", { shipments_list }, headers);

const jobOf = async (id: number) =>
  (await jobsOf(service.db, "revert")).filter(({ payload }) => payload["order_id"] === id);

describe("reverting a shipment", () => {
  test("is accepted at once; a moment later the order is Pending, nobody's, and its goods are back", async () => {
    const sku = await stocked(10, 5);
    const id = await processing(sku, 9);
    await picked(service.db, id, [
      { sku, ...near, quantity: 3 },
      { sku, ...far, quantity: 2 },
    ]);
    await picked(service.db, id, [{ sku, ...near, quantity: 4 }]);
    const during = await binsOf(sku);
    const stock = await ledgerOf(service, sku);
    const answer = await revert([id]);
    await service.runtime.settled();
    const after = await service.oms.get(`/orders/${id}`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      response: {
        success: true,
        message: `The request is accepted and will be processed soon (shipments: ${id})`,
      },
    });
    expect(during).toEqual([3, 3]);
    expect(await binsOf(sku)).toEqual([10, 5]);
    expect(await storedOrder(service.db, id)).toMatchObject({ status: "Pending", picker: null, picks: [] });
    expect(at(after.body, "data")).toMatchObject({ status: "Pending", status_id: 1 });
    const change = listAt(after.body, "data.history").at(-1);
    expect(change).toMatchObject({
      by: "user:manager",
      changed: ["status", "picker", "picks"],
      status: { from: "Processing", to: "Pending" },
    });
    expect(listAt(change, "picks.removed")).toMatchObject([{ quantity: 7 }, { quantity: 2 }]);
    expect(await jobOf(id)).toMatchObject([{ status: "applied", reason: null, attempts: 1 }]);
    // What is picked counts as on hand, and a Pending order is reserved: nothing moved.
    const { on_hand, reserved, movements } = await ledgerOf(service, sku);
    expect({ on_hand, reserved, movements }).toEqual({
      on_hand: stock.on_hand,
      reserved: 9,
      movements: stock.movements,
    });
  });

  test("that nobody has picked yet is Pending again, and is listed so", async () => {
    const sku = await stocked(1, 1);
    const id = await processing(sku, 1);
    const pending = async () =>
      numberAt((await service.oms.get("/orders?status_id=1")).body, "metadata.total_records");
    const before = await pending();
    await revert([id]);
    await service.runtime.settled();

    expect(await pending()).toBe(before + 1);
    expect(await storedOrder(service.db, id)).toMatchObject({ status: "Pending", picker: null });
  });

  test("gives goods back to a bin that was counted since they were taken", async () => {
    const sku = await stocked(10, 0);
    const id = await processing(sku, 4);
    await picked(service.db, id, [{ sku, ...near, quantity: 4 }]);
    await recount(sku, [{ ...near, qty_in_bin: 7 }]);
    await revert([id]);
    await service.runtime.settled();

    const { on_hand, binned } = await ledgerOf(service, sku);
    expect(await binsOf(sku)).toEqual([11, 0]);
    expect([on_hand, binned]).toEqual([11, 11]);
  });

  test("leads to an order that can be edited, claimed, picked and reverted again", async () => {
    const sku = await stocked(5, 0);
    const id = await processing(sku, 2);
    for (let round = 0; round < 2; round += 1) {
      await picked(service.db, id, [{ sku, ...near, quantity: 2 }]);
      await revert([id]);
      await service.runtime.settled();
      const edited = await service.oms.put("/orders", {
        data: [{ ...orderOf([{ sku, quantity: 2 }]), order_id: id }],
      });
      expect(edited.status).toBe(200);
      await claimed(service.db, id);
    }

    expect((await jobOf(id)).map(({ status }) => status)).toEqual(["applied", "applied"]);
    expect(await binsOf(sku)).toEqual([5, 0]);
  });

  test("that was shipped before its turn ends failed with the reason, and the others go on", async () => {
    const sku = await stocked(5, 0);
    const [gone, stays] = [await processing(sku, 1), await processing(sku, 2)];
    await picked(service.db, gone, [{ sku, ...near, quantity: 1 }]);
    await picked(service.db, stays, [{ sku, ...near, quantity: 2 }]);
    await service.runtime.pause();
    const answer = await revert([gone, stays]);
    await shipped(service.db, gone);
    service.runtime.resume();
    await service.runtime.settled();

    expect(answer.status).toBe(200);
    expect(await jobOf(gone)).toMatchObject([
      {
        status: "failed",
        reason: `Order ${gone} is Shipped; only a Processing order can be reverted to Pending`,
      },
    ]);
    expect(await jobOf(stays)).toMatchObject([{ status: "applied" }]);
    expect(await storedOrder(service.db, gone)).toMatchObject({ status: "Shipped", picker: "manager" });
    expect(await binsOf(sku)).toEqual([4, 0]);
  });

  test("that was reverted and claimed anew before its turn keeps what its new picker took", async () => {
    const sku = await stocked(5, 0);
    const id = await processing(sku, 2);
    await service.runtime.pause();
    await revert([id]);
    await revert([id]);
    const [now = "", later = ""] = await takeMessages(service.runtime, "revert");
    await sendMessages(service.runtime, "revert", [now]);
    service.runtime.resume();
    await service.runtime.settled();
    await claimed(service.db, id);
    await picked(service.db, id, [{ sku, ...near, quantity: 2 }]);
    await sendMessages(service.runtime, "revert", [later]);
    await service.runtime.settled();

    const [first, second] = await jobOf(id);
    expect(first).toMatchObject({ status: "applied" });
    expect(second).toMatchObject({
      status: "failed",
      reason: `Order ${id} left Processing meanwhile: revert ${first?.job_id} was applied`,
    });
    expect(await storedOrder(service.db, id)).toMatchObject({ status: "Processing", picker: "manager" });
    expect(await binsOf(sku)).toEqual([3, 0]);
  });
});

describe("a wrong call is 400 and queues nothing", () => {
  /** Ids of an order of each status. */
  const orders = { Pending: 0, Processing: 0, Shipped: 0, Cancelled: 0 };
  beforeAll(async () => {
    const sku = await stocked(5, 0);
    orders.Processing = await processing(sku, 1);
    orders.Shipped = await processing(sku, 1);
    await picked(service.db, orders.Shipped, [{ sku, ...near, quantity: 1 }]);
    await shipped(service.db, orders.Shipped);
    const data = [orderOf(), orderOf()];
    const { body } = await service.oms.post("/orders", { data });
    orders.Pending = numberAt(body, "data.0.order_id");
    orders.Cancelled = numberAt(body, "data.1.order_id");
    await service.oms.post("/orders/cancel", { order_id: orders.Cancelled });
  });

  const expectNothingQueued = async () => {
    await service.runtime.settled();
    expect(await jobOf(orders.Processing)).toEqual([]);
    expect(await storedOrder(service.db, orders.Processing)).toMatchObject({ status: "Processing" });
  };

  test("and lists every shipment that is unknown or not in Processing", async () => {
    const { Pending, Processing, Shipped, Cancelled } = orders;
    const answer = await revert([Pending, Processing, 999_999_999, Shipped, Cancelled, 888_888_888]);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      response: {
        success: false,
        message:
          "Nothing was reverted; shipments not in the warehouse: 999999999, 888888888; shipments not in " +
          `Processing: ${Pending} (Pending), ${Shipped} (Shipped), ${Cancelled} (Cancelled)`,
      },
    });
    await expectNothingQueued();
  });

  const list = "shipments_list";
  test.each<[string, (good: number) => object | undefined, string]>([
    ["no body", () => undefined, "The body must be JSON; it is empty"],
    ["no list", () => ({}), `${list} is required`],
    ["null for a list", () => ({ [list]: null }), `${list} must be a list`],
    ["an empty list", () => ({ [list]: [] }), `${list} must hold at least 1 element`],
    ["a number for a list", (good) => ({ [list]: good }), `${list} must be a list`],
    ["a list in data", (good) => ({ data: [good] }), `${list} is required`],
    [
      "101 shipments",
      () => ({ [list]: Array.from({ length: 101 }, (_, id) => id + 1) }),
      `${list} must hold at most 100 elements`,
    ],
    ["an id that is text", (good) => ({ [list]: [good, String(good)] }), `${list}.1 must be a number`],
    ["an id with a fraction", (good) => ({ [list]: [good, 1.5] }), `${list}.1 must be a whole number`],
    ["an id of 0", (good) => ({ [list]: [good, 0] }), `${list}.1 must be at least 1`],
    ["an id of null", (good) => ({ [list]: [good, null] }), `${list}.1 must be a number`],
    ["an id twice", (good) => ({ [list]: [good, good] }), `${list}.1 is in this call twice (%)`],
  ])("%s", async (_case, body, message) => {
    const answer = await service.wms.post("/shipments/revert/pending", body(orders.Processing));

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      response: { success: false, message: message.replace("%", String(orders.Processing)) },
    });
    await expectNothingQueued();
  });
});
