import { describe, expect, test } from "vitest";
import type { Parcel } from "../../../shared/orders/order-transitions.ts";
import { claimOrder, shipOrder } from "../../../shared/picking/picking-flows.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { stockpile } from "../../support/business/stockpile.ts";
import { storedOrder } from "../../support/business/stored.ts";
import {
  asItIs,
  byManager,
  claimedOrder,
  newProduct,
  pendingOrder,
  pickFrom,
  pickItems,
} from "../../support/business/world.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();
/** The next product of which ten lie on the shelf. */
const tenOf = await stockpile(service, 4, [{ bin: "A1/03", quantity: 10 }]);
/** An order line of a product that lies nowhere. */
const lineOfNothing = [{ sku: (await newProduct(service)).sku, quantity: 1 }];

const claim = (orderId: number, picker: string | null) => claimOrder(byManager(service.db), orderId, picker);
const ship = (orderId: number, parcel: Parcel = {}) =>
  shipOrder(byManager(service.db), orderId, parcel, asItIs);

describe("claiming an order", () => {
  test.each(["manager", null])("makes it Processing and %s's, and moves no stock", async (picker) => {
    const { sku } = tenOf();
    const orderId = await pendingOrder(service, [{ sku, quantity: 2 }]);

    const order = await claim(orderId, picker);

    expect(order).toMatchObject({ status: "Processing", picker });
    expect(await storedOrder(service, orderId)).toEqual(order);
    expect(await expectBalanceAndMovements(service, sku)).toEqual({
      ...{ on_hand: 10, reserved: 2, binned: 10, picked: 0, expected: 10 },
      movements: [expect.objectContaining({ on_hand: 10 }), expect.objectContaining({ reserved: 2 })],
    });
  });

  test("by several pickers at once makes it one picker's", async () => {
    const orderId = await pendingOrder(service, lineOfNothing);

    const claims = await Promise.allSettled(["ann", "bob", "cid"].map((picker) => claim(orderId, picker)));

    const won = claims.flatMap((one) => (one.status === "fulfilled" ? [one.value.picker] : []));
    expect(won).toHaveLength(1);
    expect((await storedOrder(service, orderId)).picker).toBe(won[0]);
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
    await pickItems(service, orderId, pickFrom(first, 5), pickFrom(second, 1));

    await ship(orderId);

    const left = [
      await expectBalanceAndMovements(service, first),
      await expectBalanceAndMovements(service, second),
    ];
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
});
