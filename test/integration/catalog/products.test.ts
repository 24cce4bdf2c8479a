import { describe, expect, test } from "vitest";
import { endpoint as createProducts } from "../../../functions/oms/inventory/products/create-products.ts";
import { pendingOrder } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { createAndAnswer } from "../../support/records/flows.ts";
import { orderOf, productOf, unique } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const patch = (...data: readonly unknown[]) => service.oms.patch("/inventory/products", { data });
const get = (identifier: string | number) =>
  service.oms.get(`/inventory/products/${encodeURIComponent(identifier)}`);

async function newProduct(more: object = {}) {
  const { data } = await createAndAnswer(service, createProducts, productOf(more));
  const record = at({ data }, "data.0");
  return { record, product_id: numberAt(record, "product_id"), sku: String(at(record, "sku")) };
}

async function reservedBy(sku: string): Promise<unknown> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
  return Object.fromEntries(
    listAt(body, "data").map((level) => [at(level, "distribution_center"), at(level, "reserved")]),
  );
}

describe("creating products", () => {
  test.each([
    [undefined, "MAIN"],
    ["MAIN", "MAIN"],
    ["EAST", "EAST"],
  ])("with the distribution center %s opens empty stock at %s", async (distribution_center, center) => {
    const { sku, product_id } = await newProduct(
      distribution_center === undefined ? {} : { distribution_center },
    );

    const stock = await service.oms.get(`/inventory/stock?sku=${sku}`);

    expect(at(stock.body, "data")).toEqual([
      {
        sku,
        product_id,
        distribution_center: center,
        on_hand: 0,
        reserved: 0,
        available: 0,
        held: 0,
        incoming: 0,
      },
    ]);
  });
});

describe("reading a product", () => {
  test("by a SKU that looks like an id finds it if no product has that id", async () => {
    const { record } = await newProduct({ sku: "987654321" });

    const answer = await get("987654321");

    expect(answer.body).toEqual({ data: record });
  });

  // `..` is a step in a path, which clients resolve before they send it. API Gateway ends a path at a `?`.
  test.each(["..", "A?B"])("by a SKU that no path can hold is 404: %s", async (sku) => {
    await newProduct({ sku });

    const answer = await get(sku);

    expect(answer.status).toBe(404);
  });
});

describe("units of measure", () => {
  const uom = (identifier: string | number) => service.oms.get(`/inventory/products/${identifier}/uom`);

  test.each<[string, object, readonly object[]]>([
    ["EACH alone without a case_qty", {}, [{ uom: "EACH", quantity: 1 }]],
    [
      "EACH and CASE with one",
      { case_qty: 24 },
      [
        { uom: "EACH", quantity: 1 },
        { uom: "CASE", quantity: 24 },
      ],
    ],
  ])("are %s", async (_case, more, units) => {
    const { product_id } = await newProduct(more);

    const answer = await uom(product_id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: units });
  });
});

describe("moving a product to another distribution center", () => {
  test("opens stock there; later orders reserve there, earlier ones stay", async () => {
    const { sku, product_id } = await newProduct();
    const order = (quantity: number) => service.oms.post("/orders", { data: [orderOf([{ sku, quantity }])] });
    const early = await order(2);

    const moved = await patch({ sku, distribution_center: "EAST" });
    const afterMove = await service.oms.get(`/inventory/stock?sku=${sku}`);
    const late = await order(3);
    const afterLate = await reservedBy(sku);
    await service.oms.post("/orders/cancel", { order_id: numberAt(early.body, "data.0.order_id") });
    const afterEarlyCancel = await reservedBy(sku);
    await service.oms.post("/orders/cancel", { order_id: numberAt(late.body, "data.0.order_id") });
    const afterLateCancel = await reservedBy(sku);

    expect(at(moved.body, "data.0.distribution_center")).toBe("EAST");
    expect(at(afterMove.body, "data")).toEqual([
      {
        sku,
        product_id,
        distribution_center: "MAIN",
        on_hand: 0,
        reserved: 2,
        available: -2,
        held: 0,
        incoming: 0,
      },
      {
        sku,
        product_id,
        distribution_center: "EAST",
        on_hand: 0,
        reserved: 0,
        available: 0,
        held: 0,
        incoming: 0,
      },
    ]);
    expect(at(early.body, "data.0.warehouse_id")).toBe(1);
    expect(at(late.body, "data.0.warehouse_id")).toBe(2);
    expect(afterLate).toEqual({ MAIN: 2, EAST: 3 });
    expect(afterEarlyCancel).toEqual({ MAIN: 0, EAST: 3 });
    expect(afterLateCancel).toEqual({ MAIN: 0, EAST: 0 });
  });

  test("and back again finds the stock that was opened before", async () => {
    const { sku } = await newProduct();
    await pendingOrder(service, [{ sku, quantity: 2 }]);

    await patch({ sku, distribution_center: "EAST" });
    const back = await patch({ sku, distribution_center: "MAIN" });
    const again = await patch({ sku, distribution_center: "EAST" });
    await pendingOrder(service, [{ sku, quantity: 5 }]);

    expect([back.status, again.status]).toEqual([200, 200]);
    expect(await reservedBy(sku)).toEqual({ MAIN: 2, EAST: 5 });
  });

  test("an earlier order that is replaced reserves in the product's new center", async () => {
    const { sku } = await newProduct();
    const named = { order_number: unique("ORDER") };
    await pendingOrder(service, [{ sku, quantity: 2 }], named);
    await patch({ sku, distribution_center: "EAST" });

    const answer = await service.oms.put("/orders", { data: [orderOf([{ sku, quantity: 4 }], named)] });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data.0.warehouse_id")).toBe(2);
    expect(await reservedBy(sku)).toEqual({ MAIN: 0, EAST: 4 });
  });

  test("an order of products from two centers reserves each in its own; its warehouse is the first's", async () => {
    const [main, east] = [await newProduct(), await newProduct({ distribution_center: "EAST" })];

    const answer = await service.oms.post("/orders", {
      data: [
        orderOf([
          { sku: east.sku, quantity: 1 },
          { sku: main.sku, quantity: 2 },
        ]),
      ],
    });

    expect(at(answer.body, "data.0.warehouse_id")).toBe(2);
    expect(await reservedBy(main.sku)).toEqual({ MAIN: 2 });
    expect(await reservedBy(east.sku)).toEqual({ EAST: 1 });
  });
});
