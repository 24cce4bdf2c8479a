import { beforeAll, describe, expect, test } from "vitest";
import { putAway } from "../../../../shared/inbound/put-away.ts";
import { expectEachBalanced } from "../../../support/business/ledger.ts";
import {
  announceReplenishment,
  asItIs,
  claimEach,
  newOrders,
  newProduct,
  newProducts,
  pickFrom,
  pickItems,
  shipOrder,
  shippedOrder,
  stockedProduct,
} from "../../../support/business/world.ts";
import { atOnce, timesAtOnce } from "../../../support/http/at-once.ts";
import { at, listAt, numberAt, patient } from "../../../support/http/client.ts";
import { operations } from "../../../support/http/random.ts";
import { contextOf } from "../../../support/records/flows.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

/** What a transaction takes in DynamoDB, within which others on the same items conflict with it. */
const transactionMilliseconds = 12;

const started = await ownService({ instancesPerFunction: 3 });
const service = { ...started, oms: patient(started.oms) };
service.runtime.raiseConflicts(true);
service.runtime.addLatency(transactionMilliseconds);

const replenish = (...data: readonly unknown[]) => service.oms.post("/inventory/replenishments", { data });
const sendBack = (...data: readonly unknown[]) => service.oms.post("/inventory/returns", { data });

/** What is incoming of a SKU at a distribution center. */
async function incomingOf(sku: string, center = "MAIN"): Promise<number> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}&distribution_center=${center}`);
  return numberAt(body, "data.0.incoming");
}

const total = async (path: string) =>
  numberAt((await service.oms.get(`${path}?per_page=1`)).body, "metadata.total_records");

describe("replenishments", () => {
  test("by clients at once that all begin to keep a product in a center are all stored, incoming exact", async () => {
    const { sku } = await newProduct(service);
    const before = await total("/inventory/replenishments");
    const east = (quantity: number) => ({ items: [{ sku, quantity }], distribution_center: "EAST" });

    const answers = await timesAtOnce(service, 5, () => replenish(east(1), east(20), east(300)));

    const ids = answers.flatMap(({ body }) =>
      listAt(body, "data").map((record) => at(record, "replenishment_id")),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(ids).size).toBe(15);
    expect(await total("/inventory/replenishments")).toBe(before + 15);
    expect(await incomingOf(sku, "EAST")).toBe(1605);
  });

  test("changed by clients at once are as one of them left it, and incoming with it", async () => {
    const { sku } = await newProduct(service);
    const { replenishment_id } = await announceReplenishment(service, [{ sku, quantity: 50 }]);

    const answers = await atOnce(
      service,
      [3, 5, 8, 13, 21].map(
        (quantity) => () =>
          service.oms.patch("/inventory/replenishments", {
            data: [{ replenishment_id, items: [{ sku, quantity }] }],
          }),
      ),
    );

    const left = await service.oms.get(`/inventory/replenishments/${replenishment_id}`);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await incomingOf(sku)).toBe(numberAt(left.body, "data.items.0.quantity"));
  });

  test("changed and put away at once lose nothing of either", async () => {
    const { sku } = await newProduct(service);
    const { replenishment_id } = await announceReplenishment(service, [{ sku, quantity: 50 }]);
    const move = { sku, quantity: 4, location: "B1", bin: "02" };

    await Promise.all([
      atOnce(
        service,
        [30, 40].map(
          (quantity) => () =>
            service.oms.patch("/inventory/replenishments", {
              data: [{ replenishment_id, items: [{ sku, quantity }] }],
            }),
        ),
      ),
      ...[1, 2, 3].map(() => putAway(contextOf(service), { replenishment_id }, move, asItIs)),
    ]);

    const left = await service.oms.get(`/inventory/replenishments/${replenishment_id}`);
    expect(at(left.body, "data.items.0.put_away")).toBe(12);
    expect(await incomingOf(sku)).toBe(numberAt(left.body, "data.items.0.remaining"));
    expect(await expectEachBalanced(service, [sku])).toMatchObject([{ on_hand: 12 }]);
  });

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

  test("of one order by clients at once bring back no more than was shipped", async () => {
    const { order_id } = await shippedOrder(service, [
      { sku, quantity: 3 },
      { sku, quantity: 4 },
    ]);
    const before = await total("/inventory/returns");
    const one = { order_id, items: [{ sku, quantity: 1 }] };

    const answers = await timesAtOnce(service, 5, () => sendBack(one, one));

    const stored = answers
      .flatMap(({ body }) => at(body, "data") ?? [])
      .filter((record) => at(record, "return_id") !== undefined);
    const order = await service.oms.get(`/orders/${order_id}`);
    const returned = listAt(order.body, "data.items").map((item) => numberAt(item, "returned"));
    expect(returned[0]).toBe(3);
    expect(3 + (returned[1] ?? 0)).toBe(stored.length);
    // A call that finds room for one of its two returns only is refused whole.
    expect([6, 7]).toContain(stored.length);
    expect(await total("/inventory/returns")).toBe(before + stored.length);
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
