import { describe, expect, test } from "vitest";
import type { Dispatch } from "../../../shared/orders/order-transitions.ts";
import { claimOrder, shipOrder } from "../../../shared/picking/process-order.ts";
import { oneByOne } from "../../support/http/one-by-one.ts";
import { stockpile } from "../../support/records/stockpile.ts";
import { binsHold, storedOrder } from "../../support/records/stored.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";
import { expectBalanced } from "../../support/store/ledger.ts";
import {
  asItIs,
  byManager,
  claimedEach,
  claimedOrder,
  newOrders,
  newProduct,
  pendingOrder,
  picked,
  pickFrom,
} from "../../support/store/world.ts";

const service = await sharedService();
/** The next product of which ten lie on the shelf. */
const tenOf = await stockpile(service, 14, [{ place: "A1/03", quantity: 10 }]);
/** An order line of a product that lies nowhere. */
const lineOfNothing = [{ sku: (await newProduct(service)).sku, quantity: 1 }];
const skus = Array.from({ length: 6 }, () => tenOf().sku);
const orderIds = await newOrders(
  service,
  skus.map((sku) => [{ sku, quantity: 10 }]),
);
await claimedEach(service, orderIds);
const tens = skus.map((sku, position) => ({ sku, orderId: orderIds[position] ?? 0 }));
for (const { sku, orderId } of tens) await picked(service, orderId, pickFrom(sku, 10));
/** The next order for all ten units of a product, which are picked. */
const pickedTen = oneByOne(tens);

const claim = (orderId: number, picker: string | null) => claimOrder(byManager(service.db), orderId, picker);
const ship = (orderId: number, dispatch: Dispatch = {}) =>
  shipOrder(byManager(service.db), orderId, dispatch, asItIs);

describe("claiming an order", () => {
  test.each(["manager", null])("makes it Processing and %s's, and moves no stock", async (picker) => {
    const { sku } = tenOf();
    const orderId = await pendingOrder(service, [{ sku, quantity: 2 }]);

    const order = await claim(orderId, picker);

    expect(order).toMatchObject({ status: "Processing", picker });
    expect(await storedOrder(service, orderId)).toEqual(order);
    expect(await expectBalanced(service, sku)).toEqual({
      ...{ on_hand: 10, reserved: 2, binned: 10, picked: 0, expected: 10 },
      movements: [expect.objectContaining({ on_hand: 10 }), expect.objectContaining({ reserved: 2 })],
    });
  });

  test("is rejected if it is not Pending", async () => {
    const orderId = await claimedOrder(service, lineOfNothing);

    await expect(claim(orderId, "other")).rejects.toMatchObject({
      kind: "invalid",
      message: `Order ${orderId} is Processing; only a Pending order can be claimed`,
    });
  });

  test("by several pickers at once makes it one picker's", async () => {
    const orderId = await pendingOrder(service, lineOfNothing);

    const claims = await Promise.allSettled(["ann", "bob", "cid"].map((picker) => claim(orderId, picker)));

    const won = claims.flatMap((one) => (one.status === "fulfilled" ? [one.value.picker] : []));
    expect(won).toHaveLength(1);
    expect((await storedOrder(service, orderId)).picker).toBe(won[0]);
  });

  test("that there is not is not found", async () => {
    await expect(claim(999_999, "manager")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("shipping an order", () => {
  test("takes exactly what was ordered from on-hand and reserved, with a movement that says so", async () => {
    const [{ sku: first }, { sku: second }] = [tenOf(), tenOf()];
    const orderId = await claimedOrder(service, [
      { sku: first, quantity: 2 },
      { sku: second, quantity: 1 },
      { sku: first, quantity: 3 },
    ]);
    await picked(service, orderId, pickFrom(first, 5), pickFrom(second, 1));

    await ship(orderId);

    const left = [await expectBalanced(service, first), await expectBalanced(service, second)];
    expect(left).toMatchObject([
      { on_hand: 5, reserved: 0, binned: 5, picked: 0 },
      { on_hand: 9, reserved: 0, binned: 9, picked: 0 },
    ]);
    expect(left.map(({ movements }) => movements.at(-1))).toMatchObject([
      {
        on_hand: -5,
        reserved: -5,
        reason: "order_shipped",
        reference: { order_id: orderId },
        by: "user:manager",
      },
      {
        on_hand: -1,
        reserved: -1,
        reason: "order_shipped",
        reference: { order_id: orderId },
        by: "user:manager",
      },
    ]);
  });

  test("moves it from the Processing orders of the list to the Shipped ones", async () => {
    const totals = async () => [
      (await service.oms.get("/orders?status_id=4")).body,
      (await service.oms.get("/orders?status_id=9")).body,
    ];
    const { orderId } = pickedTen();
    const [processing, shipped] = await totals();

    await ship(orderId);

    expect(JSON.stringify(processing)).toContain(`"order_id":${orderId},`);
    expect(JSON.stringify(shipped)).not.toContain(`"order_id":${orderId},`);
    const [processingAfter, shippedAfter] = await totals();
    expect(JSON.stringify(processingAfter)).not.toContain(`"order_id":${orderId},`);
    expect(JSON.stringify(shippedAfter)).toContain(`"order_id":${orderId},`);
  });

  test.each([0, 1])("is rejected if only %i of two units are picked, and nothing changes", async (units) => {
    const { sku } = tenOf();
    const orderId = await pendingOrder(service, [{ sku, quantity: 2 }]);
    let before = await claim(orderId, "manager");
    if (units > 0) before = await picked(service, orderId, pickFrom(sku, units));

    await expect(ship(orderId)).rejects.toMatchObject({
      kind: "invalid",
      message: `Order ${orderId} is not picked completely; it can't be shipped`,
    });

    expect(await storedOrder(service, orderId)).toEqual(before);
    expect(await expectBalanced(service, sku)).toEqual({
      ...{ on_hand: 10, reserved: 2, binned: 10 - units, picked: units, expected: 10 - units },
      movements: [expect.objectContaining({ on_hand: 10 }), expect.objectContaining({ reserved: 2 })],
    });
  });

  test.each([
    { trouble: "conflict", rule: "through conflicts with other transactions", times: 3 },
    { trouble: "lose-response", rule: "though the answer to its transaction is lost", times: 1 },
  ] as const)("ships it once $rule", async ({ trouble, times }) => {
    const { orderId, sku } = pickedTen();
    const troubled = troubledDatabase(service);
    troubled.add(trouble, { times });

    await shipOrder(byManager(troubled.db), orderId, {}, asItIs);

    expect(troubled.hits).toBe(times);
    const ledger = await expectBalanced(service, sku);
    expect(ledger).toMatchObject({ on_hand: 0, reserved: 0, picked: 0 });
    expect(ledger.movements.filter(({ reason }) => reason === "order_shipped")).toHaveLength(1);
    expect(await binsHold(service, sku)).toEqual(["A1/03: 0"]);
  });
});
