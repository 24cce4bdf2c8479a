/** Records of 500 products, through all that the service does with them. */
import { expect, test } from "vitest";
import { maxItems } from "../../../shared/orders/order.ts";
import { maxPicksAndSerials } from "../../../shared/picking/picking.ts";
import { layOut } from "../../support/business/stockpile.ts";
import { holdings, layerOf, storedOrder } from "../../support/business/stored.ts";
import {
  announceReturn,
  claim,
  newProducts,
  pickFrom,
  pickItems,
  shipOrder,
} from "../../support/business/world.ts";
import { type Answer, at, listAt, numberAt } from "../../support/http/client.ts";
import { orderOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
const calls = Array.from({ length: maxItems / 100 }, () => newProducts(service, 100));
const products = (await Promise.all(calls)).flat();
const lines = products.map(({ sku }) => ({ sku, quantity: 2 }));

const day = "2026-03-01";

/** What the stock of all products says, each answer once. */
async function levels(): Promise<readonly unknown[]> {
  const { body } = await service.oms.get("/inventory/stock?distribution_center=MAIN");
  const found = listAt(body, "data").map((level) =>
    ["on_hand", "reserved", "incoming"].map((name) => `${name} ${at(level, name)}`).join(", "),
  );
  return [...new Set(found)];
}

async function pickAll(orderId: number): Promise<void> {
  await claim(service, orderId);
  for (let start = 0; start < lines.length; start += maxPicksAndSerials) {
    const some = lines.slice(start, start + maxPicksAndSerials);
    await pickItems(service, orderId, ...some.map(({ sku, quantity }) => pickFrom(sku, quantity)));
  }
}

const fine = ({ status, body }: Answer): unknown => {
  expect(status, JSON.stringify(at(body, "response"))).toBe(200);
  return body;
};

test("an order of 500 products is created, replaced, cancelled, picked, reverted, shipped and returned", async () => {
  await layOut(service, products, [{ bin: "A1/03", quantity: 10, layers: [layerOf(day, 10)] }]);
  const [order_id, other] = listAt(
    fine(await service.oms.post("/orders", { data: [orderOf(lines), orderOf(lines)] })),
    "data",
  ).map((record) => numberAt(record, "order_id"));
  if (order_id === undefined || other === undefined) throw new Error("not both orders were created");
  expect(await levels()).toEqual(["on_hand 10, reserved 4, incoming 0"]);

  const more = lines.map(({ sku }) => ({ sku, quantity: 5 }));
  fine(await service.oms.put("/orders", { data: [{ ...orderOf(more), order_id: other }] }));
  expect(await levels()).toEqual(["on_hand 10, reserved 7, incoming 0"]);
  fine(await service.oms.post("/orders/cancel", { order_id: other }));
  expect(await levels()).toEqual(["on_hand 10, reserved 2, incoming 0"]);

  await pickAll(order_id);
  fine(await service.wms.post("/shipments/revert/pending", { shipments_list: [order_id] }));
  await service.settled();
  expect(await storedOrder(service, order_id)).toMatchObject({ status: "Pending", picks: [] });
  for (const sku of [lines[0]?.sku, lines.at(-1)?.sku]) {
    const held = await holdings(service, { sku: String(sku) });
    expect(held).toEqual({ "A1/03": expect.objectContaining({ quantity: 10, layers: [layerOf(day, 10)] }) });
  }

  await pickAll(order_id);
  await shipOrder(service, order_id);
  expect(await levels()).toEqual(["on_hand 8, reserved 0, incoming 0"]);
  await announceReturn(service, order_id, [...lines]);
  const { items } = await storedOrder(service, order_id);
  expect(items.filter((item) => item.returned !== 2)).toEqual([]);
});

test("a replenishment of 500 products is announced, and moved to a center that keeps none of them", async () => {
  const { body } = await service.oms.post("/inventory/replenishments", { data: [{ items: lines }] });
  const replenishment_id = numberAt(body, "data.0.replenishment_id");
  const patch = { replenishment_id, distribution_center: "EAST" };
  fine(await service.oms.patch("/inventory/replenishments", { data: [patch] }));

  const east = await service.oms.get("/inventory/stock?distribution_center=EAST");
  expect(at(east.body, "metadata.total_records")).toBe(lines.length);
  expect(new Set(listAt(east.body, "data").map((level) => at(level, "incoming")))).toEqual(new Set([2]));
});

test("a call of more large orders than there is time for is refused, and nothing is stored", async () => {
  const before = await levels();
  const kits = Array.from({ length: 5 }, (_, hundred) => kitOf(hundred));
  fine(await service.oms.post("/inventory/synsets", { data: kits }));

  const orders = Array.from({ length: 12 }, () =>
    orderOf(kits.map(({ synset: sku }) => ({ sku, quantity: 1 }))),
  );
  const answer = await service.oms.post("/orders", { data: orders });

  expect(answer.status).toBe(400);
  expect(at(answer.body, "response.message")).toContain("and the maximum is 12000; split it");
  expect(await levels()).toEqual(before);
});

const kitOf = (hundred: number) => ({
  synset: `HUNDRED-${hundred}`,
  items: lines.slice(hundred * 100, hundred * 100 + 100).map(({ sku }) => ({ sku, quantity: 1 })),
});
