import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, numberAt } from "../../support/client.ts";
import { type OwnService, startService } from "../../support/own-service.ts";
import { orderOf } from "../../support/records.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

const stockOf = async (sku: string) =>
  at((await service.oms.get(`/inventory/stock?sku=${sku}`)).body, "data.0");

describe("an order", () => {
  test("reserves its stock when it is created and releases it when it is cancelled", async () => {
    const before = await stockOf("DEMO-TEE");
    const created = await service.oms.post("/orders", {
      data: [orderOf([{ sku: "DEMO-TEE", quantity: 3 }])],
    });
    const reserved = await stockOf("DEMO-TEE");
    const cancelled = await service.oms.post("/orders/cancel", {
      order_id: numberAt(created.body, "data.0.order_id"),
    });
    const released = await stockOf("DEMO-TEE");

    expect(created.status).toBe(200);
    expect(before).toMatchObject({ on_hand: 60, reserved: 0, available: 60 });
    expect(reserved).toMatchObject({ on_hand: 60, reserved: 3, available: 57 });
    expect(at(cancelled.body, "data")).toMatchObject({ status: "Cancelled", status_id: 10 });
    expect(released).toEqual(before);
  });
});
