import { expect, test } from "vitest";
import { readKitStock } from "../../../shared/stock/kit-stock.ts";
import type { Cause } from "../../../shared/stock/movements/movement.ts";
import { stockItemsOf, stockOf } from "../../../shared/stock/stock-levels.ts";
import { changeStock } from "../../../shared/stock/stock-repository.ts";
import { isShard } from "../../../shared/store/dynamodb/sharded-counter.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { expectBalanceAndMovements } from "../../support/business/ledger.ts";
import { stockedProduct } from "../../support/business/world.ts";
import { at, listAt } from "../../support/http/client.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

const causeOf = (order_id: number): Cause => ({
  reason: "order_created",
  reference: { order_id },
  by: "test",
  at: new Date().toISOString(),
});

/** Reserves units over a connection whose next transactions collide so often. */
async function reserve(product_id: number, quantities: readonly number[], collisions: number) {
  const { db, add } = troubledDatabase(service);
  add("conflict", { times: collisions });
  for (const [position, reserved] of quantities.entries()) {
    const change = { product_id, distribution_center_id: 1, on_hand: 0, reserved };
    await transact(db, changeStock([change], causeOf(position + 1)));
  }
}

async function shardsOf(product_id: number): Promise<number> {
  return (await stockItemsOf(service.db, product_id)).filter(isShard).length;
}

test("stock that transactions keep colliding with is counted in shards, and reads the same everywhere", async () => {
  const { sku, product_id } = await stockedProduct(service, { "A1/01": 20 });
  await reserve(product_id, [1, 2, 3], 4);
  // Another connection, to which the product's key is not hot.
  await reserve(product_id, [4], 0);

  const level = { on_hand: 20, reserved: 10 };
  const bySku = await service.oms.get(`/inventory/stock?sku=${sku}`);
  const listed = await service.oms.get("/inventory/stock?per_page=1000");
  const kit = { items: [{ sku, product_id, quantity: 5 }] };
  const kitStockOf = await readKitStock(service.db, service.accountId, [kit]);
  const movements = await service.oms.get(`/inventory/stock/${sku}/movements`);

  expect(await shardsOf(product_id)).toBe(3);
  expect(await stockOf(service.db, product_id)).toMatchObject([level]);
  expect(at(bySku.body, "data.0")).toMatchObject({ ...level, available: 10 });
  expect(listAt(listed.body, "data").find((one) => at(one, "sku") === sku)).toMatchObject(level);
  expect(kitStockOf(kit)).toMatchObject({ available: 2 });
  expect(listAt(movements.body, "data")).toHaveLength(5);
  await expectBalanceAndMovements(service, sku, { ofOrders: false });
});

test("a few collisions do not spread stock over shards", async () => {
  const { product_id } = await stockedProduct(service, { "A1/01": 20 });

  await reserve(product_id, [1, 2, 3], 3);

  expect(await shardsOf(product_id)).toBe(0);
  expect(await stockOf(service.db, product_id)).toMatchObject([{ on_hand: 20, reserved: 6 }]);
});
