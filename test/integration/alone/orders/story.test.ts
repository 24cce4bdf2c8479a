/**
 * What the service is for, told over HTTP alone: goods come in, are put away, ordered, picked, checked and
 * shipped; some come back and are put away again. Each test is a step, which goes on where the one before it
 * ended.
 */
import { describe, expect, test } from "vitest";
import { type Answer, at, listAt, numberAt } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { orderOf, productOf } from "../../../support/records/records.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();
/** Account 100's application at the put-away. */
const pro = service.v2;
/** Who signed in with two factors. */
const picker = await signIn(service);

/** A new product, of which what expires first is to leave first. */
const product = productOf({ pick_style: "FEFO" });
const { sku } = product;

/** The ids that a step hands on to the next ones. */
let replenishment_id: number;
let order_id: number;
let return_id: number;

interface Expected {
  readonly on_hand: number;
  readonly reserved: number;
  readonly available: number;
  readonly incoming: number;
  /** `A1/03: 6`; emptied bins are among them. */
  readonly bins: readonly string[];
}

/** Asserts the product's stock and its bins after a step. */
async function expectNow({ bins, ...stock }: Expected): Promise<void> {
  const { body } = await service.oms.get(`/inventory/stock?sku=${sku}`);
  expect(listAt(body, "data")).toHaveLength(1);
  expect(at(body, "data.0")).toMatchObject(stock);
  const held = await service.wms.get(`/inventory/products/${at(body, "data.0.product_id")}/bin`);
  const shown = listAt(held.body, "bin_list").map(
    (bin) => `${at(bin, "Location")}/${at(bin, "Bin")}: ${at(bin, "Quantity")}`,
  );
  expect(shown).toEqual(bins);
}

/** The answer of a call that has to be a success. */
async function ok(call: Promise<Answer>): Promise<unknown> {
  const { status, body } = await call;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const orderNow = async (): Promise<unknown> => at(await ok(service.oms.get(`/orders/${order_id}`)), "data");

/** The entry of a list that is about the order. */
const ours = (body: unknown): unknown =>
  listAt(body, "data").find((entry) => at(entry, "order_id") === order_id);

describe("a product's way through the warehouse", () => {
  test("begins with nothing", async () => {
    await ok(service.oms.post("/inventory/products", { data: [product] }));

    await expectNow({ on_hand: 0, reserved: 0, available: 0, incoming: 0, bins: [] });
  });

  test("a replenishment announces ten units: they are incoming", async () => {
    const announced = await ok(
      service.oms.post("/inventory/replenishments", { data: [{ items: [{ sku, quantity: 10 }] }] }),
    );
    replenishment_id = numberAt(announced, "data.0.replenishment_id");
    const loaded = await ok(pro.post("/pro-v1/put-away-load", { replenishment_id }));

    expect(at(loaded, "data")).toMatchObject({
      status: "Pending",
      items: [{ sku, quantity: 10, put_away: 0, remaining: 10 }],
    });
    await expectNow({ on_hand: 0, reserved: 0, available: 0, incoming: 10, bins: [] });
  });

  test("six of them are put away, which expire later", async () => {
    const place = { location: "A1", bin: "03", lot: "L-1", expires_on: "2032-06-30T12:00:00Z" };
    const moved = await ok(
      pro.post("/pro-v1/put-away-move", { replenishment_id, sku, quantity: 6, ...place }),
    );

    expect(at(moved, "data")).toMatchObject({ status: "Pending", items: [{ put_away: 6, remaining: 4 }] });
    await expectNow({ on_hand: 6, reserved: 0, available: 6, incoming: 4, bins: ["A1/03: 6"] });
  });

  test("the other four follow, which expire first: the replenishment is Received", async () => {
    const place = { location: "B1", bin: "02", lot: "L-2", expires_on: "2031-06-30" };
    const moved = await ok(
      pro.post("/pro-v1/put-away-move", { replenishment_id, sku, quantity: 4, ...place }),
    );
    const listed = await ok(pro.post("/pro-v1/inventory-list-1", { sku }));

    expect(at(moved, "data")).toMatchObject({ status: "Received", items: [{ put_away: 10, remaining: 0 }] });
    expect(listAt(listed, "data")).toMatchObject([
      { SKU: sku, Location: "A1", Bin: "03", Quantity: 6 },
      { SKU: sku, Location: "B1", Bin: "02", Quantity: 4 },
    ]);
    const bins = ["A1/03: 6", "B1/02: 4"];
    await expectNow({ on_hand: 10, reserved: 0, available: 10, incoming: 0, bins });
  });

  test("an order of five reserves them", async () => {
    const created = await ok(service.oms.post("/orders", { data: [orderOf([{ sku, quantity: 5 }])] }));
    order_id = numberAt(created, "data.0.order_id");

    expect(at(created, "data.0")).toMatchObject({ status: "Pending", status_id: 1 });
    const bins = ["A1/03: 6", "B1/02: 4"];
    await expectNow({ on_hand: 10, reserved: 5, available: 5, incoming: 0, bins });
  });

  test("a picker claims it, and is told the bins in the product's pick style", async () => {
    const claimed = await ok(picker.post("/mobile-v1/pp-getOrders-1", { limit: 50 }));

    expect(ours(claimed)).toMatchObject({
      account_id: 100,
      status: "Processing",
      items: [
        {
          sku,
          quantity: 5,
          picked: 0,
          remaining: 5,
          bins: [
            { location: "B1", bin: "02", quantity: 4, lot: "L-2", expires_on: "2031-06-30" },
            { location: "A1", bin: "03", quantity: 1, lot: "L-1", expires_on: "2032-06-30" },
          ],
        },
      ],
    });
    expect(await orderNow()).toMatchObject({ status: "Processing", status_id: 4 });
    const bins = ["A1/03: 6", "B1/02: 4"];
    await expectNow({ on_hand: 10, reserved: 5, available: 5, incoming: 0, bins });
  });

  test("what is picked leaves the bins and stays on hand", async () => {
    const picks = [
      { sku, location: "B1", bin: "02", quantity: 4 },
      { sku, location: "A1", bin: "03", quantity: 1 },
    ];
    await ok(picker.post("/mobile-v1/pp-updateLogPick-1", { order_id, picks }));

    expect(await orderNow()).toMatchObject({ status: "Processing" });
    const bins = ["A1/03: 5", "B1/02: 0"];
    await expectNow({ on_hand: 10, reserved: 5, available: 5, incoming: 0, bins });
  });

  test("quality control finds it, approves it, and it is shipped", async () => {
    const waiting = await ok(picker.post("/mobile-v1/qc-shippings-1", { per_page: 100 }));
    const approval = { order_id, approve: true, tracking_number: "TRACK-1" };
    await ok(picker.post("/mobile-v1/qc-shippings-1", approval));
    const left = await ok(picker.post("/mobile-v1/qc-shippings-1", { per_page: 100 }));

    expect([ours(waiting), ours(left)]).toEqual([expect.objectContaining({ order_id }), undefined]);
    expect(await orderNow()).toMatchObject({ status: "Shipped", status_id: 9, tracking_number: "TRACK-1" });
    const bins = ["A1/03: 5", "B1/02: 0"];
    await expectNow({ on_hand: 5, reserved: 0, available: 5, incoming: 0, bins });
  });

  test("two units are to come back: nothing has moved yet", async () => {
    const created = await ok(
      service.oms.post("/inventory/returns", { data: [{ order_id, items: [{ sku, quantity: 2 }] }] }),
    );
    return_id = numberAt(created, "data.0.return_id");
    const loaded = await ok(pro.post("/pro-v1/put-away-load", { return_id }));

    expect(at(loaded, "data")).toMatchObject({
      status: "Pending",
      items: [{ sku, quantity: 2, put_away: 0, remaining: 2 }],
    });
    const bins = ["A1/03: 5", "B1/02: 0"];
    await expectNow({ on_hand: 5, reserved: 0, available: 5, incoming: 0, bins });
  });

  test("they are put away, and the return is Received", async () => {
    const place = { location: "B1", bin: "02" };
    const moved = await ok(pro.post("/pro-v1/put-away-move", { return_id, sku, quantity: 2, ...place }));

    expect(at(moved, "data")).toMatchObject({ status: "Received", items: [{ put_away: 2, remaining: 0 }] });
    const bins = ["A1/03: 5", "B1/02: 2"];
    await expectNow({ on_hand: 7, reserved: 0, available: 7, incoming: 0, bins });
  });

  test("in the end the order's history and the stock's movements tell all of it", async () => {
    const history = listAt(await orderNow(), "history");
    const path = `/inventory/stock/${sku}/movements?order_direction=asc`;
    const movements = listAt(await ok(service.oms.get(path)), "data");

    const [store, warehouse] = ["account:100", `user:${picker.user_name}`];
    expect(history).toMatchObject([
      { by: store, status: { from: null, to: "Pending" } },
      { by: warehouse, status: { from: "Pending", to: "Processing" } },
      { by: warehouse, picks: { added: [{ quantity: 4 }, { quantity: 1 }], removed: [] } },
      { by: warehouse, status: { from: "Processing", to: "Shipped" } },
      { by: store, items: { from: [{ returned: 0 }], to: [{ returned: 2 }] } },
    ]);
    expect(movements).toMatchObject([
      { reason: "put_away", replenishment_id, on_hand: 6, reserved: 0, by: store },
      { reason: "put_away", replenishment_id, on_hand: 4, reserved: 0, by: store },
      { reason: "order_created", order_id, on_hand: 0, reserved: 5, by: store },
      { reason: "order_shipped", order_id, on_hand: -5, reserved: -5, by: warehouse },
      { reason: "put_away", return_id, on_hand: 2, reserved: 0, by: store },
    ]);
  });
});
