import { describe, expect, test } from "vitest";
import { endpoint as checkShippings } from "../../../functions/v2/mobile/check-shippings.ts";
import { newSession } from "../../../shared/auth/mobile.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { insertOrder, orders, workIndexed } from "../../../shared/orders/storage/order-repository.ts";
import { pickedCountKey, pickedCounts, pickedPage } from "../../../shared/orders/storage/picked-orders.ts";
import { saveOrder } from "../../../shared/orders/storage/save-order.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { faultyStore } from "../../support/records/faulty-store.ts";
import { contextOf } from "../../support/records/flows.ts";
import { createdAt, itemOf, later, pickOf, sampleOrder } from "../samples.ts";

const items = [itemOf({ quantity: 1 })];
const picks = [pickOf({ quantity: 1 })];

describe("an order's place in the index of work", () => {
  test.each<[Partial<Order>, string]>([
    [{ order_id: 1003 }, "pending#3"],
    [{ order_id: 1008 }, "pending#0"],
    [{ status: "Processing", picker: "ann" }, "picker#ann"],
    [{ status: "Processing", picker: null }, "released"],
    [{ status: "Processing", picker: "ann", picks }, "picked"],
  ])("of %j is %s", (more, work) => {
    const { set, remove } = workIndexed(sampleOrder({ items, ...more }));

    expect(set["work"]).toBe(work);
    expect(remove).toEqual([]);
  });

  test.each(["Shipped", "Cancelled"] as const)("is none once it is %s", (status) => {
    expect(workIndexed(sampleOrder({ status }))).toEqual({ set: {}, remove: ["work", "work_at"] });
  });

  test("is by age, and by id among those of one moment", () => {
    const older = sampleOrder({ order_id: 2000 });
    const same = sampleOrder({ order_id: 10_001 });
    const newer = sampleOrder({ order_id: 900, created_at: "2026-01-31T08:00:00.001Z" });

    const places = [newer, same, older].map((order) => workIndexed(order).set["work_at"]);

    expect(places.toSorted()).toEqual(places.toReversed());
    expect(places.every((place) => place?.startsWith("2026-01-31T08:00:00."))).toBe(true);
  });

  test("is written with the order, and with every change of it", () => {
    const before = sampleOrder({ items });
    const shipped = sampleOrder({ items, status: "Shipped", version: 8 });

    const [inserted] = insertOrder(before, "data.0");
    const { writes } = saveOrder({ ...orders.written(before), recent: [] }, shipped, "user:ann");
    const [saved] = writes;

    expect(inserted).toMatchObject({ item: { work: "pending#1", work_at: `${createdAt}#000000001001` } });
    expect(saved).toMatchObject({ remove: ["work", "work_at"] });
  });
});

test("a page of picked orders is answered though the counts that are empty can't be removed", async () => {
  const { store, db } = faultyStore();
  const item = { ...pickedCountKey(1003), orders: 0 };
  await transact(db, [{ kind: "insert", table: pickedCounts.table, item }]);
  store.fault = (command) => (command === "TransactWriteItems" ? new Error("down") : undefined);

  const page = await pickedPage(db, 0, 20);

  expect(page).toEqual({ ids: [], total: 0 });
});

test("an order that has left is not shown to be checked, though the index still has it", async () => {
  const { db } = faultyStore();
  const waiting = sampleOrder({ order_id: 1003, status: "Processing", picker: "ann", items, picks });
  const left = sampleOrder({ ...waiting, order_id: 1004, status: "Shipped" });
  for (const order of [waiting, left]) {
    const [inserted] = insertOrder(order, "data.0");
    if (inserted?.kind !== "insert") throw new Error("the first write inserts the order");
    const indexed = workIndexed({ ...order, status: "Processing" }).set;
    const count = { ...pickedCountKey(order.order_id), orders: 1 };
    await transact(db, [
      { ...inserted, item: { ...inserted.item, ...indexed } },
      { kind: "insert", table: pickedCounts.table, item: count },
    ]);
  }
  const user = { user_id: 1, user_name: "bob", activated: true, wms: true, session_generation: 0 };
  const device = { device_id: "d", app: "a", app_version: "1", system_version: "2" };
  const context = { ...contextOf({ db, accountId: 0 }), user, session: newSession(user, device, later) };

  const { data } = await checkShippings.flow({ body: { page: 1, per_page: 20 } }, context);

  expect(data).toEqual([expect.objectContaining({ order_id: 1003 })]);
});
