import { beforeAll, describe, expect, test } from "vitest";
import { barcodeOf } from "../../../../shared/orders/order.ts";
import { orderLookup } from "../../../../shared/orders/storage/order-repository.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { expectBalanceAndMovements } from "../../../support/business/ledger.ts";
import { goodsOf, stockpile } from "../../../support/business/stockpile.ts";
import { storedOrder } from "../../../support/business/stored.ts";
import {
  claimEach,
  claimedOrder,
  newOrders,
  pendingOrder,
  pickedOrder,
  pickFrom,
  pickItems,
  shipOrder,
} from "../../../support/business/world.ts";
import { tearOrder } from "../../../support/damages/torn-order.ts";
import { timesAtOnce } from "../../../support/http/at-once.ts";
import { at, listAt } from "../../../support/http/client.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { oneByOne } from "../../../support/http/one-by-one.ts";
import { changeNothing } from "../../../support/http/unchanged.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService();
const checker = await signIn(service);
const { sku } = await goodsOf(service, 100);
/** Products of which three units lie on the shelf. */
const newGoods = await stockpile(service, 4, [{ bin: "A1/03", quantity: 3 }]);
const ids = await newOrders(
  service,
  Array.from({ length: 12 }, () => [{ sku, quantity: 1 }]),
);
await claimEach(service, ids);
/** Orders for one unit from the shelf, oldest first, which `manager` has claimed. */
const nextClaimed = oneByOne(ids);

const call = (body?: unknown) => checker.post("/mobile-v1/qc-shippings-1", body);

/** An order for one unit from the shelf, which is picked. */
async function pickedOne(): Promise<number> {
  const orderId = nextClaimed();
  await pickItems(service, orderId, pickFrom(sku, 1));
  return orderId;
}

/** A new order for so many units of a product of its own, all of them picked. */
async function pickedOfNew(quantity: number) {
  const { sku: own } = newGoods();
  return { sku: own, orderId: await pickedOrder(service, [{ sku: own, quantity }]) };
}

async function waiting(): Promise<readonly unknown[]> {
  const { body } = await call({ per_page: 100 });
  return listAt(body, "data").map((order) => at(order, "order_id"));
}

describe("the shipments to check", () => {
  test("are the completely picked orders, oldest first, and no others", async () => {
    const pending = await pendingOrder(service, undefined);
    const claimed = await claimedOrder(service, undefined);
    const first = await pickedOne();
    const gone = await pickedOne();
    const second = await pickedOne();
    await shipOrder(service, gone);

    const ids = await waiting();

    expect(ids.filter((id) => id === first || id === second)).toEqual([first, second]);
    for (const other of [pending, claimed, gone]) expect(ids).not.toContain(other);
  });

  test("leave out an order that can't be read", async () => {
    const torn = await pickedOne();
    const other = await pickedOne();
    await tearOrder(service.db, torn);

    const ids = await waiting();

    expect(ids.filter((id) => id === torn || id === other)).toEqual([other]);
  });

  test("show what they hold, and who picked it from which bin", async () => {
    const orderId = await pickedOrder(service, [{ sku, quantity: 2 }]);
    const order = await storedOrder(service, orderId);

    const { body } = await call({ per_page: 100 });

    expect(listAt(body, "data").find((one) => at(one, "order_id") === orderId)).toEqual({
      order_id: orderId,
      order_number: order.order_number,
      account_id: 100,
      nbtybarcode: barcodeOf(orderId),
      status: "Processing",
      shipping_method: "GROUND",
      picker: "manager",
      tracking_number: null,
      carrier: null,
      items: [
        {
          sku,
          product_id: order.items[0]?.product_id,
          ordered_as: sku,
          quantity: 2,
          picked: 2,
          remaining: 0,
        },
      ],
      picks: [{ sku, location: "A1", bin: "03", quantity: 2, by: "manager", at: order.picks[0]?.at }],
    });
  });

  test("come in pages, of twenty unless asked otherwise, with an exact total, in both descriptions", async () => {
    for (let count = 0; count < 3; count += 1) await pickedOne();
    const all = await waiting();

    const first = await call();
    const second = await call({ page: 2, per_page: 2 });
    const beyond = await call({ page: 1000, per_page: 2 });

    const [total, total_pages] = [all.length, Math.ceil(all.length / 2)];
    expect(at(first.body, "metadata")).toMatchObject({ page: 1, per_page: 20 });
    expect(listAt(second.body, "data").map((order) => at(order, "order_id"))).toEqual(all.slice(2, 4));
    expect(at(second.body, "metadata")).toMatchObject({
      page: 2,
      per_page: 2,
      total_records: total,
      total_pages,
    });
    expect(at(second.body, "pagination")).toEqual({ current_page: 2, per_page: 2, total, total_pages });
    expect(beyond.status).toBe(200);
    expect([at(beyond.body, "data"), at(beyond.body, "pagination.total")]).toEqual([[], total]);
  });

  test("no longer show an order once it is reverted", async () => {
    const orderId = await pickedOne();
    const before = await waiting();

    await service.wms.post("/shipments/revert/pending", { shipments_list: [orderId] });
    await service.runtime.settled();

    expect(before).toContain(orderId);
    expect(await waiting()).not.toContain(orderId);
  });
});

describe("an approved shipment", () => {
  test.each([
    ["with a tracking number and a carrier", { tracking_number: "TRACK-1", carrier: "Parcel Post" }],
    ["with neither", {}],
  ])("leaves, %s, and takes its goods from stock", async (_case, sent) => {
    const noted = { status: "Shipped", tracking_number: null, carrier: null, ...sent };
    const { orderId, sku } = await pickedOfNew(3);

    const answer = await call({ order_id: orderId, approve: true, ...sent });

    expect(answer.status).toBe(200);
    expect(at(answer.body, "data")).toMatchObject({ order_id: orderId, ...noted });
    expect(await storedOrder(service, orderId)).toMatchObject(noted);
    expect(await expectBalanceAndMovements(service, sku)).toMatchObject({
      on_hand: 0,
      reserved: 0,
      picked: 0,
    });
    expect(await waiting()).not.toContain(orderId);
  });

  test("is in the history as the checker's doing, and out of the index of work", async () => {
    const orderId = await pickedOne();

    await call({ order_id: orderId, approve: true, tracking_number: "" });

    const { body } = await service.oms.get(`/orders/${orderId}`);
    expect(at(body, "data.tracking_number")).toBeNull();
    expect(listAt(body, "data.history").at(-1)).toMatchObject({ by: `user:${checker.user_name}` });
    const item = await getItem(service.db, orderLookup(orderId));
    expect([item?.["work"], item?.["work_at"]]).toEqual([undefined, undefined]);
  });

  test("leaves once, though it is approved several times at once", async () => {
    const { orderId, sku } = await pickedOfNew(3);

    const answers = await timesAtOnce(service, 4, () => call({ order_id: orderId, approve: true }));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await expectBalanceAndMovements(service, sku)).toMatchObject({ on_hand: 0, reserved: 0 });
  });
});

describe("refused, with nothing changed:", () => {
  let orderId = 0;
  beforeAll(async () => {
    orderId = await pickedOne();
  });

  test.each<[string, (id: number) => unknown, string]>([
    ["an approval of nothing", () => ({ approve: true }), "order_id is required"],
    ["a disapproval of nothing", () => ({ approve: false }), "order_id is required"],
    ["a tracking number alone", () => ({ tracking_number: "T" }), "order_id is required"],
    ["a carrier alone", () => ({ carrier: "C" }), "order_id is required"],
    ["an order without approval", (id) => ({ order_id: id }), "approve is required"],
    [
      "an order and its tracking number without approval",
      (id) => ({ order_id: id, tracking_number: "T" }),
      "approve is required",
    ],
    ["a disapproval", (id) => ({ order_id: id, approve: false }), "approve must be true"],
    ["an approval that is null", (id) => ({ order_id: id, approve: null }), "approve is required"],
  ])("%s", async (_case, body, message) => {
    const answer = await call(body(orderId));

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response.message")).toBe(message);
  });

  test("approval of an order that there is not, which is not found", async () => {
    const answer = await call({ order_id: 999_999_999, approve: true });

    expect(answer.status).toBe(404);
    expect(at(answer.body, "response.message")).toBe("There is no order with order_id 999999999");
  });

  test("approval of an order that is not picked completely", async () => {
    const id = await claimedOrder(service, undefined);

    const answer = await call({ order_id: id, approve: true });

    expect(answer.status).toBe(400);
    expect(at(answer.body, "response")).toMatchObject({
      message: `Order ${id} is not picked completely; it can't be shipped`,
      errors: [{ path: "order_id" }],
    });
    expect(await storedOrder(service, id)).toMatchObject({ status: "Processing" });
  });

  changeNothing(() => storedOrder(service, orderId));
});
