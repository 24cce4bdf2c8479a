import { describe, expect, test } from "vitest";
import { putAway } from "../../../shared/inbound/put-away.ts";
import { pickOrder } from "../../../shared/picking/picking-flows.ts";
import { changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import type { Layer } from "../../../shared/stock/bins/goods.ts";
import { maxLayers, unitsIn } from "../../../shared/stock/bins/layers.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { expectEachBalanced } from "../../support/business/ledger.ts";
import { stockpile } from "../../support/business/stockpile.ts";
import { holdings, layerOf } from "../../support/business/stored.ts";
import {
  announceReplenishment,
  asItIs,
  byManager,
  claimedOrder,
  countStock,
  type NewProduct,
  newProduct,
  pickFrom,
  receiveGoods,
} from "../../support/business/world.ts";
import { contextOf } from "../../support/records/flows.ts";
import { recountOf } from "../../support/records/records.ts";
import { troubledDatabase } from "../../support/records/troubled.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const place = { location: "A1", bin: "01" };
const [first, second, third] = ["2026-03-01", "2026-03-02", "2026-03-03"];

/**
 * The products that tests are done with; what open records claim is read once for the books of all of them.
 */
const moved: string[] = [];
const service = await sharedService();
const layers = [layerOf(first, 3), layerOf(second, 4)];
/**
 * The next product of which two units were counted in, three came on the first day and four on the second.
 */
const stocked = await stockpile(service, 6, [{ bin: "A1/01", quantity: 9, layers }]);

const recountOfBin = (sku: string, change: { readonly qty?: number; readonly qty_in_bin?: number }) =>
  recountOf(sku, [{ ...place, ...change }], { account_id: service.accountId });

async function count(sku: string, ...quantities: readonly number[]): Promise<void> {
  for (const qty_in_bin of quantities) {
    await service.wms.post("/recount", recountOfBin(sku, { qty_in_bin }));
    await service.settled();
  }
}

const pick = (orderId: number, sku: string, quantity: number, db: Database = service.db) =>
  pickOrder(byManager(db), orderId, [pickFrom(sku, quantity, "A1/01")], asItIs);

async function revert(orderId: number): Promise<void> {
  await service.wms.post("/shipments/revert/pending", { shipments_list: [orderId] });
  await service.settled();
}

async function heldOf(product: NewProduct) {
  const { "A1/01": held } = await holdings(service, product);
  if (held === undefined) throw new Error("A1/01 has never held it");
  return held;
}

describe("goods that are put away", () => {
  test("lie by day, lot and expiry, the oldest first; those of one are together", async () => {
    const product = await newProduct(service);

    await receiveGoods(
      service,
      product.sku,
      { quantity: 2, day: second },
      { quantity: 3, day: first, lot: "L1", expires_on: "2027-01-31" },
      { quantity: 4, day: first, lot: "L1", expires_on: "2027-01-31" },
      { quantity: 5, day: first, lot: "L2", expires_on: "2027-01-31" },
    );

    const lot = { lot: "L1", expires_on: "2027-01-31" };
    expect(await heldOf(product)).toEqual({
      quantity: 14,
      layers: [layerOf(first, 7, lot), layerOf(first, 5, { ...lot, lot: "L2" }), layerOf(second, 2)],
    });
    moved.push(product.sku);
  });

  test(`are rejected if the bin would hold more than ${maxLayers} lots and days, and nothing changes`, async () => {
    const product = await newProduct(service);
    const layers = Array.from({ length: maxLayers }, (_, lot) => layerOf(first, 1, { lot: String(lot) }));
    const bin = { account_id: service.accountId, ...product, ...place, bin_id: 1, distribution_center_id: 1 };
    await transact(
      service.db,
      changeBin(bin, undefined, { quantity: maxLayers, layers }, `${first}T12:00:00.000Z`),
    );
    const target = await announceReplenishment(service, [{ sku: product.sku, quantity: 2 }]);
    const put = (lot: string) =>
      putAway(
        { ...contextOf(service), now: `${first}T12:00:00.000Z` },
        target,
        { sku: product.sku, quantity: 1, ...place, lot },
        asItIs,
      );

    await expect(put("another")).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(/^bin would hold goods/),
    });
    expect((await heldOf(product)).quantity).toBe(maxLayers);
    await put("7");
    expect((await heldOf(product)).quantity).toBe(maxLayers + 1);
  });
});

describe("picking", () => {
  test("takes the oldest goods first and keeps with the order what it took; a revert puts those very goods back", async () => {
    const product = stocked();
    const before = await heldOf(product);
    const orderId = await claimedOrder(service, [{ sku: product.sku, quantity: 5 }]);

    await pick(orderId, product.sku, 1);
    const order = await pick(orderId, product.sku, 4);
    const during = await heldOf(product);
    await revert(orderId);

    expect(order.picks).toMatchObject([
      { quantity: 5, layers: [layerOf(first, 3), layerOf(second, 2)], serials: [] },
    ]);
    expect(during).toEqual({ quantity: 4, layers: [layerOf(second, 2)] });
    expect(await heldOf(product)).toEqual(before);
    moved.push(product.sku);
  });

  test("takes the newest goods first of a product whose pick style says so", async () => {
    const { sku } = stocked();
    await service.oms.patch("/inventory/products", { data: [{ sku, pick_style: "LIFO" }] });
    const orderId = await claimedOrder(service, [{ sku, quantity: 3 }]);

    const { picks } = await pick(orderId, sku, 3);

    expect(picks).toMatchObject([{ quantity: 3, layers: [layerOf(second, 3)] }]);
    moved.push(sku);
  });
});

describe("a count", () => {
  test("between a pick and its revert keeps the returned units apart from those that it found", async () => {
    const product = stocked();
    const orderId = await claimedOrder(service, [{ sku: product.sku, quantity: 4 }]);
    await pick(orderId, product.sku, 4);

    await count(product.sku, 0, 5);
    await revert(orderId);

    expect(await heldOf(product)).toEqual({ quantity: 9, layers: [layerOf(first, 3), layerOf(second, 1)] });
    moved.push(product.sku);
  });
});

describe("concurrent changes of one bin", () => {
  test("lose no units", async () => {
    const product = stocked();
    const { sku } = product;
    const orders = [
      await claimedOrder(service, [{ sku, quantity: 3 }]),
      await claimedOrder(service, [{ sku, quantity: 3 }]),
    ];
    const adding = recountOfBin(sku, { qty: 5 });

    await Promise.all([
      receiveGoods(service, sku, { quantity: 6, day: third }),
      receiveGoods(service, sku, { quantity: 1, day: first }),
      ...orders.map((orderId) => pick(orderId, sku, 3)),
      service.wms.post("/recount", adding),
    ]);
    await service.settled();
    await Promise.all(orders.map(revert));

    expect(await heldOf(product)).toEqual({
      quantity: 21,
      layers: [layerOf(first, 4), layerOf(second, 4), layerOf(third, 6)],
    });
    moved.push(sku);
  });

  test.each<[string, (sku: string) => Promise<unknown>, number, readonly Layer[]]>([
    [
      "others came in",
      (sku) => receiveGoods(service, sku, { quantity: 2, day: first }),
      7,
      [layerOf(first, 1), layerOf(second, 4)],
    ],
    ["fewer were counted", (sku) => count(sku, 6), 2, [layerOf(second, 2)]],
  ])("are decided again if %s between the read and the write", async (_what, other, quantity, layers) => {
    const product = stocked();
    const orderId = await claimedOrder(service, [{ sku: product.sku, quantity: 4 }]);
    const troubled = troubledDatabase(service, { before: () => other(product.sku) });

    await pick(orderId, product.sku, 4, troubled.db);

    const held = await heldOf(product);
    expect(troubled.transactions).toBe(2);
    expect(held).toEqual({ quantity, layers });
    expect(unitsIn(held.layers)).toBeLessThanOrEqual(held.quantity);
    moved.push(product.sku);
  });

  test("do not conflict if all units are of unknown arrival, and do once others are put beside them", async () => {
    const product = await newProduct(service);
    const { sku } = product;
    await countStock(service, sku, { "A1/01": 10 });
    const orderId = await claimedOrder(service, [{ sku, quantity: 8 }]);
    const attemptsWith = async (other: () => Promise<unknown>) => {
      const troubled = troubledDatabase(service, { before: other });
      await pick(orderId, sku, 2, troubled.db);
      return troubled.transactions;
    };
    const other = await claimedOrder(service, [{ sku, quantity: 3 }]);

    const plain = await attemptsWith(() => pick(other, sku, 3));
    const mixed = await attemptsWith(() => receiveGoods(service, sku, { quantity: 3, day: first }));

    expect([plain, mixed]).toEqual([1, 2]);
    expect(await heldOf(product)).toEqual({ quantity: 6, layers: [layerOf(first, 1)] });
    moved.push(sku);
  });
});

test("the books of all these products balance", async () => {
  expect(moved).toHaveLength(8);
  await expectEachBalanced(service, moved);
});
