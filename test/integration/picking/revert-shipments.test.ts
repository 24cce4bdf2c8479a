import { beforeAll, describe, expect, test } from "vitest";
import { ledgerOf } from "../../support/business/ledger.ts";
import { binsHold, storedOrder } from "../../support/business/stored.ts";
import {
  claim,
  claimedOrder,
  countStock,
  newOrders,
  pickFrom,
  pickItems,
  shippedOrder,
  stockedProduct,
} from "../../support/business/world.ts";
import { type Answer, at, listAt } from "../../support/http/client.ts";
import { changeNothing } from "../../support/http/unchanged.ts";
import { orderOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { jobsAbout } from "../../support/store/job-records.ts";

const service = await sharedService();

const inTwoBins = async (nearby: number, faraway: number): Promise<string> =>
  (await stockedProduct(service, { "A1/03": nearby, "B1/03": faraway })).sku;

const processing = (sku: string, quantity: number): Promise<number> =>
  claimedOrder(service, [{ sku, quantity }]);

const revert = (shipments_list: unknown, headers = {}): Promise<Answer> =>
  service.wms.post("/shipments/revert/pending", { shipments_list }, headers);

const jobOf = (id: number) => jobsAbout(service.db, "revert", id);

describe("reverting a shipment", () => {
  test("is accepted at once; a moment later the order is Pending, nobody's, and its goods are back", async () => {
    const sku = await inTwoBins(10, 5);
    const id = await processing(sku, 9);
    await pickItems(service, id, pickFrom(sku, 3), pickFrom(sku, 2, "B1/03"));
    await pickItems(service, id, pickFrom(sku, 4));
    const during = await binsHold(service, sku);
    const stock = await ledgerOf(service, sku);
    const answer = await revert([id, id]);
    await service.settled();
    const after = await service.oms.get(`/orders/${id}`);

    const [job] = await jobOf(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      response: {
        success: true,
        message: `The request is accepted and will be processed soon (shipments: ${id})`,
        jobs: [{ job_id: job?.job_id, order_id: id }],
      },
    });
    expect(during).toEqual(["A1/03: 3", "B1/03: 3"]);
    expect(await binsHold(service, sku)).toEqual(["A1/03: 10", "B1/03: 5"]);
    expect(await storedOrder(service, id)).toMatchObject({ status: "Pending", picker: null, picks: [] });
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

  test("gives goods back to a bin that was counted since they were taken", async () => {
    const sku = await inTwoBins(10, 0);
    const id = await processing(sku, 4);
    await pickItems(service, id, pickFrom(sku, 4));
    await countStock(service, sku, 7);
    await revert([id]);
    await service.settled();

    const { on_hand, binned } = await ledgerOf(service, sku);
    expect(await binsHold(service, sku)).toEqual(["A1/03: 11", "B1/03: 0"]);
    expect([on_hand, binned]).toEqual([11, 11]);
  });

  test("leads to an order that can be edited, claimed, picked and reverted again", async () => {
    const sku = await inTwoBins(5, 0);
    const id = await processing(sku, 2);
    for (let round = 0; round < 2; round += 1) {
      await pickItems(service, id, pickFrom(sku, 2));
      await revert([id]);
      await service.settled();
      const edited = await service.oms.put("/orders", {
        data: [{ ...orderOf([{ sku, quantity: 2 }]), order_id: id }],
      });
      expect(edited.status).toBe(200);
      await claim(service, id);
    }

    expect((await jobOf(id)).map(({ status }) => status)).toEqual(["applied", "applied"]);
    expect(await binsHold(service, sku)).toEqual(["A1/03: 5", "B1/03: 0"]);
  });
});

describe("a wrong call is 400 and queues nothing", () => {
  const orders = { Pending: 0, Processing: 0, Shipped: 0, Cancelled: 0 };
  beforeAll(async () => {
    const sku = await inTwoBins(5, 0);
    orders.Processing = await processing(sku, 1);
    const line = [{ sku, quantity: 1 }];
    orders.Shipped = (await shippedOrder(service, line)).order_id;
    [orders.Pending = 0, orders.Cancelled = 0] = await newOrders(service, [line, line]);
    await service.oms.post("/orders/cancel", { order_id: orders.Cancelled });
  });

  test("which lists every shipment that is unknown or not in Processing", async () => {
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
  });

  changeNothing(async () => {
    await service.settled();
    expect(await jobOf(orders.Processing)).toEqual([]);
    const order = await storedOrder(service, orders.Processing);
    expect(order).toMatchObject({ status: "Processing" });
    return order;
  });
});
