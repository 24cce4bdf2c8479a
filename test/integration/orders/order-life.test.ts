import { describe, expect, test } from "vitest";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { stocked } from "../../support/store/world.ts";

const service = await sharedService();

const stockOf = async (sku: string) =>
  at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0");

describe("an order", () => {
  test("reserves its stock when it is created and releases it when it is cancelled", async () => {
    const { sku } = await stocked(service, 60);
    const before = await stockOf(sku);
    const created = await service.oms.post("/orders", {
      data: [orderOf([{ sku, quantity: 3 }])],
    });
    const reserved = await stockOf(sku);
    const cancelled = await service.oms.post("/orders/cancel", {
      order_id: numberAt(created.body, "data.0.order_id"),
    });
    const released = await stockOf(sku);

    expect(created.status).toBe(200);
    expect(before).toMatchObject({ on_hand: 60, reserved: 0, available: 60 });
    expect(reserved).toMatchObject({ on_hand: 60, reserved: 3, available: 57 });
    expect(at(cancelled.body, "data")).toMatchObject({ status: "Cancelled", status_id: 10 });
    expect(released).toEqual(before);
  });

  test("may have one SKU in many lines, which are reserved in sum", async () => {
    const { sku } = await stocked(service, 10);

    const created = await service.oms.post("/orders", {
      data: [orderOf(Array.from({ length: 200 }, () => ({ sku, quantity: 2 })))],
    });

    expect(listAt(created.body, "data.0.items")).toHaveLength(200);
    expect(await stockOf(sku)).toMatchObject({ reserved: 400 });
  });

  test("may be for more than is there, which makes a backorder", async () => {
    const { sku } = await stocked(service, 10);

    const created = await service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 1000 }])] });

    expect(created.status).toBe(200);
    expect(await stockOf(sku)).toMatchObject({ on_hand: 10, reserved: 1000, available: -990 });
  });
});
