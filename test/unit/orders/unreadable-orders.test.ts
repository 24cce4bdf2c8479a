import { expect, test, vi } from "vitest";
import { insertOrder, orderLookup, orders } from "../../../shared/orders/storage/order-repository.ts";
import { findReadableOrders } from "../../../shared/orders/storage/order-work.ts";
import { logger } from "../../../shared/runtime/log.ts";
import { getItem } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { Unreadable } from "../../../shared/store/layouts/layouts.ts";
import { facetKeyAttribute } from "../../../shared/store/lists/facets.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import { damage, invent } from "../../support/damages/damage.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { sampleOrder } from "../samples.ts";

test("an order that can't be read is left out, and logged by its id alone", async () => {
  const { db } = faultyStore();
  const ids = [1001, 1002, 1003, 1004, 1005];
  for (const order_id of ids)
    await transact(db, insertOrder(sampleOrder({ order_id, order_number: String(order_id) }), "data.0"));
  await damage(db, orderLookup(1002), {}, { content: "torn" });
  await damage(db, orderLookup(1003), {}, { layout: 7 });
  const { [facetKeyAttribute]: _, ...uncounted } = (await getItem(db, orderLookup(1005))) ?? {};
  await invent(db, orderLookup(1005), uncounted);
  const lines = vi.spyOn(logger, "error").mockReturnValue();

  const found = await findReadableOrders(db, ids);

  expect([...found.keys()]).toEqual([1001, 1004]);
  expect(lines.mock.calls).toEqual([
    ["order unreadable", { order_id: 1002 }],
    ["order unreadable", { order_id: 1003 }],
    ["order unreadable", { order_id: 1005 }],
  ]);
});

test("orders whose reading fails are not left out", async () => {
  const { store, db } = faultyStore();
  store.fault = (command) => (command === "BatchGetItem" ? new Error("not read") : undefined);

  await expect(findReadableOrders(db, [1001])).rejects.toThrow("not read");
});

test("an order that is found by id, but can't be read, is named by the error, without its content", async () => {
  const { db } = faultyStore();
  await transact(db, insertOrder(sampleOrder({ order_id: 1001 }), "data.0"));
  await damage(db, orderLookup(1001), {}, { content: "torn" });

  const named = "order 1001 can't be read (content: invalid_type)";
  await expect(orders.findAll(db, anyOwner, [1001])).rejects.toThrow(new Unreadable(named));
  await expect(orders.find(db, 100, 1001)).rejects.toThrow(new Unreadable(named));
});
