import { describe, expect, test } from "vitest";
import { shipOrder } from "../../../shared/picking/picking-flows.ts";
import { asItIs, byManager, claim, pickFrom, pickItems } from "../../support/business/world.ts";
import { at, listAt, numberAt } from "../../support/http/client.ts";
import { customer, orderOf } from "../../support/records/records.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService({ demoData: true });

const historyOf = async (orderId: number) =>
  listAt((await service.oms.get(`/orders/${orderId}`)).body, "data.history");

const lineOf = (sku: string, quantity: number) => ({
  sku,
  ordered_as: sku,
  quantity,
  sold_price: null,
  returned: 0,
});

async function placed(lines: Parameters<typeof orderOf>[0] = [{ sku: "DEMO-MUG", quantity: 1 }]) {
  const sent = orderOf(lines);
  const created = await service.oms.post("/orders", { data: [sent] });
  return { sent, record: at(created.body, "data.0"), orderId: numberAt(created.body, "data.0.order_id") };
}

describe("an order's history", () => {
  test("begins with its creation", async () => {
    const { record, orderId } = await placed();

    expect(await historyOf(orderId)).toEqual([
      {
        at: at(record, "created_at"),
        by: `account:${service.accountId}`,
        changed: ["status"],
        status: { from: null, to: "Pending" },
      },
    ]);
  });

  test("has every change of its life, oldest first, each with who made it and when", async () => {
    const { sent, orderId } = await placed([{ sku: "DEMO-TEE", quantity: 1 }]);
    const items = [
      { sku: "DEMO-TEE", quantity: 3 },
      { sku: "DEMO-CAP", quantity: 1 },
    ];
    await service.oms.put("/orders", { data: [{ ...sent, order_id: orderId, items }] });
    await service.oms.post("/orders/sub_status", { order_id: orderId, sub_status: "rush" });
    await claim(service, orderId);
    await pickItems(service, orderId, pickFrom("DEMO-TEE", 2, "A1/01"), pickFrom("DEMO-CAP", 1, "B1/01"));
    await pickItems(service, orderId, pickFrom("DEMO-TEE", 1, "A1/01"));
    await shipOrder(
      byManager(service.db),
      orderId,
      { tracking_number: "TRACK-1", carrier: "Parcel Post" },
      asItIs,
    );

    const history = await historyOf(orderId);

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [store, warehouse] = [
      { at: time, by: `account:${service.accountId}` },
      { at: time, by: "user:manager" },
    ];
    const tees = (quantity: number) => ({
      ...{ sku: "DEMO-TEE", bin_id: 1, location: "A1", bin: "01" },
      ...{ quantity, by: "manager" },
    });
    const cap = { sku: "DEMO-CAP", bin_id: 7, location: "B1", bin: "01", quantity: 1, by: "manager" };
    expect(history).toEqual([
      { ...store, changed: ["status"], status: { from: null, to: "Pending" } },
      {
        ...store,
        changed: ["items"],
        items: { from: [lineOf("DEMO-TEE", 1)], to: [lineOf("DEMO-TEE", 3), lineOf("DEMO-CAP", 1)] },
      },
      { ...store, changed: ["sub_status"], sub_status: { from: null, to: "rush" } },
      {
        ...warehouse,
        changed: ["status", "picker"],
        status: { from: "Pending", to: "Processing" },
        picker: { from: null, to: "manager" },
      },
      { ...warehouse, changed: ["picks"], picks: { added: [tees(2), cap], removed: [] } },
      { ...warehouse, changed: ["picks"], picks: { added: [tees(1)], removed: [] } },
      {
        ...warehouse,
        changed: ["status", "tracking_number", "carrier"],
        status: { from: "Processing", to: "Shipped" },
        tracking_number: { from: null, to: "TRACK-1" },
        carrier: { from: null, to: "Parcel Post" },
      },
    ]);
    const times = history.map((entry) => String(at(entry, "at")));
    expect(times).toEqual(times.toSorted());
  });

  test("has its cancellation, and a second one adds nothing", async () => {
    const { orderId } = await placed();
    await service.oms.post("/orders/cancel", { order_id: orderId });
    await service.oms.post("/orders/cancel-bulk", { order_ids: [orderId] });

    expect((await historyOf(orderId)).slice(1)).toMatchObject([
      {
        by: `account:${service.accountId}`,
        changed: ["status"],
        status: { from: "Pending", to: "Cancelled" },
      },
    ]);
  });

  test("does not hold what was refused", async () => {
    const { sent, orderId } = await placed();
    await service.oms.post("/orders/cancel", { order_id: orderId });
    const before = await historyOf(orderId);

    const refused = [
      await service.oms.put("/orders", { data: [{ ...sent, order_id: orderId, order_type_id: 2 }] }),
      await service.oms.post("/orders/sub_status", { order_id: orderId, sub_status: "rush" }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
    expect(await historyOf(orderId)).toEqual(before);
  });

  test("says of a PUT what it changed and nothing else, by the names that clients know", async () => {
    const { sent, orderId } = await placed();
    const put = (more: object) =>
      service.oms.put("/orders", { data: [{ ...sent, order_id: orderId, ...more }] });
    const more = { cart: { id: 2 }, customer: { ...customer, city: "Elsewhere" } };
    await put({});
    await put({ shipping_method: "EXPRESS" });
    await put({ shipping_method: "EXPRESS", ...more });

    const history = await historyOf(orderId);

    const [time, by] = [expect.any(String), `account:${service.accountId}`];
    const cart = { from: null, to: { id: 2, store_name: "Demo Marketplace" } };
    expect(history.slice(1)).toEqual([
      { at: time, by, changed: ["shipping_method"], shipping_method: { from: "GROUND", to: "EXPRESS" } },
      { at: time, by, changed: ["cart", "customer"], cart },
    ]);
  });

  test("never repeats a customer's data", async () => {
    const { sent, orderId } = await placed();
    const hidden = { ...customer, firstname: "Veronica", email: "veronica@example.com" };
    await service.oms.put("/orders", { data: [{ ...sent, order_id: orderId, customer: hidden }] });
    await service.oms.put("/orders", { data: [{ ...sent, order_id: orderId }] });

    expect(JSON.stringify(await historyOf(orderId))).not.toMatch(/veronica/i);
  });

  test("is shown with the order alone, whatever it is found by, and not in a list or with a change", async () => {
    const { sent, orderId } = await placed();
    const numbered = await service.oms.get(`/orders/${sent.order_number}?identify_by=order_number`);
    const answers = [
      await service.oms.get("/orders"),
      await service.oms.put("/orders", { data: [{ ...sent, order_id: orderId }] }),
      await service.oms.post("/orders/sub_status", { order_id: orderId, sub_status: "rush" }),
      await service.oms.post("/orders/cancel", { order_id: orderId }),
    ];

    expect(listAt(numbered.body, "data.history")).toHaveLength(1);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('"history"');
  });
});
