import { beforeAll, describe, expect, test } from "vitest";
import {
  claimEach,
  newOrders,
  newProducts,
  pickFrom,
  pickItems,
  shipOrder,
  shippedOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { at, listAt, numberAt } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ instancesPerFunction: 3 });
// Calls side by side overlap for certain.
service.runtime.addLatency(12);

/** What is incoming of a SKU at a distribution center. */
async function incomingOf(sku: string, center: string): Promise<number> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}&distribution_center=${center}`);
  return numberAt(body, "data.0.incoming");
}

describe("replenishments", () => {
  test("of a hundred in one call take few round trips", async () => {
    const skus = (await newProducts(service, 3)).map(({ sku }) => sku);
    const data = Array.from({ length: 100 }, (_, position) => ({
      items: [{ sku: skus[position % 3], quantity: 1 }],
      distribution_center: "EAST",
    }));

    const mark = service.runtime.mark();
    const answer = await service.oms.post(
      "/inventory/replenishments",
      { data },
      { "Idempotency-Key": "hundred" },
    );
    const { criticalPath } = service.runtime.summary(mark);

    expect(answer.status).toBe(200);
    expect(criticalPath).toBeLessThanOrEqual(12);
    expect(await Promise.all(skus.map((sku) => incomingOf(sku, "EAST")))).toEqual([34, 33, 33]);
  });
});

describe("returns", () => {
  let sku: string;
  beforeAll(async () => {
    sku = (await stockedProduct(service, 1000)).sku;
  });

  test("of a hundred in one call for one order take few round trips, and all are counted", async () => {
    const { order_id } = await shippedOrder(service, [{ sku, quantity: 150 }]);
    const data = Array.from({ length: 100 }, () => ({ order_id, items: [{ sku, quantity: 1 }] }));

    const mark = service.runtime.mark();
    const answer = await service.oms.post("/inventory/returns", { data });
    const { criticalPath } = service.runtime.summary(mark);

    const order = await service.oms.get(`/orders/${order_id}`);
    const changes = listAt(order.body, "data.history").filter((entry) => at(entry, "items") !== undefined);
    expect(answer.status).toBe(200);
    expect(criticalPath).toBeLessThanOrEqual(12);
    expect(numberAt(order.body, "data.items.0.returned")).toBe(100);
    expect(changes.map((entry) => at(entry, "items.to.0.returned"))).toEqual(
      data.map((_, position) => position + 1),
    );
  });

  test("of many orders in one call take few round trips", async () => {
    // More than the round trips that are few: one for each order would be too many.
    const orders = await newOrders(
      service,
      Array.from({ length: operations(13, 100) }, () => [{ sku, quantity: 2 }]),
    );
    await claimEach(service, orders);
    for (const order_id of orders) {
      await pickItems(service, order_id, pickFrom(sku, 2));
      await shipOrder(service, order_id);
    }
    const data = orders.map((order_id) => ({ order_id, items: [{ sku, quantity: 1 }] }));

    const mark = service.runtime.mark();
    const answer = await service.oms.post("/inventory/returns", { data }, { "Idempotency-Key": "many" });
    const { criticalPath } = service.runtime.summary(mark);

    const list = await service.oms.get(`/orders?per_page=${orders.length}`);
    expect(answer.status).toBe(200);
    expect(criticalPath).toBeLessThanOrEqual(12);
    expect(listAt(list.body, "data").map((order) => at(order, "items.0.returned"))).toEqual(
      orders.map(() => 1),
    );
  });
});
