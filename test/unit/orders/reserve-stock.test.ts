import { expect, test } from "vitest";
import type { Order } from "../../../shared/orders/order.ts";
import { planOrders } from "../../../shared/orders/reserve-stock.ts";
import { insertOrder } from "../../../shared/orders/storage/order-repository.ts";
import { type Hold, partsOfHold } from "../../../shared/stock/holds/hold.ts";
import { insertHold } from "../../../shared/stock/holds/hold-repository.ts";
import { openStock } from "../../../shared/stock/open-stock.ts";
import { emptyStock } from "../../../shared/stock/product-stock.ts";
import { stockEntriesOf } from "../../../shared/stock/stock.ts";
import { changeHeldStock } from "../../../shared/stock/stock-repository.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { createdAt, holdOf, itemOf, sampleOrder } from "../samples.ts";

/** A store with a product of which nothing is left but a hold of these units. */
async function heldStock(quantity: number) {
  const { db } = faultyStore();
  const product = { account_id: 100, product_id: 1, sku: "TEE" };
  await transact(db, openStock(emptyStock(product, { distribution_center_id: 1, code: "MAIN" }), createdAt));
  const hold = holdOf(new Date(Date.now() + 600_000).toISOString(), { quantity });
  const why = { reason: "hold_created", by: "account:100", at: createdAt } as const;
  const [received] = partsOfHold(hold, 0, why);
  if (received === undefined) throw new Error("the hold has no goods");
  const goods = { ...received, change: { ...received.change, on_hand: quantity } };
  const parts = [goods, ...partsOfHold(hold, quantity, why)];
  await transact(db, [insertHold(hold), ...changeHeldStock(stockEntriesOf(parts))]);
  return { db, hold };
}

const isPlanned = (plan: object): boolean => "writes" in plan;

/** A new order of so many units, all from a hold. */
function orderFrom({ hold_id }: Hold, order_id: number, quantity: number, if_short?: "refuse") {
  const after: Order = sampleOrder({ order_id, order_number: `N${order_id}`, items: [itemOf({ quantity })] });
  const reservation = { if_short, items: [{ sku: "TEE", quantity, hold_id }] };
  const cause = { reason: "order_created", reference: { order_id }, by: "test", at: createdAt } as const;
  return { after, reservation, writes: insertOrder(after, "data.0"), cause, path: "data.0" };
}

test("an order that is refused leaves the hold that it names to the next order of the plan", async () => {
  const { db, hold } = await heldStock(5);
  const refusing = (order_id: number, quantity: number) => orderFrom(hold, order_id, quantity, "refuse");

  const plans = await planOrders(db, 100, [refusing(1001, 6), refusing(1002, 5), refusing(1003, 1)]);

  expect(plans.map(isPlanned)).toEqual([false, true, false]);
});

test("an order of a hold that is used up is refused, planned with the order that uses it up or after it", async () => {
  const { db, hold } = await heldStock(5);
  const second = orderFrom(hold, 1002, 5);

  const [first, together] = await planOrders(db, 100, [orderFrom(hold, 1001, 5), second]);
  await transact(db, first !== undefined && "writes" in first ? first.writes : []);
  const [after] = await planOrders(db, 100, [second]);

  expect(after).toMatchObject({
    problem: { message: `data.0.items.0.hold_id names no hold, or one that has ended (${hold.hold_id})` },
  });
  expect(together).toEqual(after);
});
