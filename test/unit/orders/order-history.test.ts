import { describe, expect, test } from "vitest";
import { nextVersion } from "../../../shared/common/versioned.ts";
import { type Order, order } from "../../../shared/orders/order.ts";
import {
  changedIn,
  creationEntry,
  type HistoryEntry,
  historyEntry,
  historyOf,
} from "../../../shared/orders/order-history.ts";
import { cancel, revert } from "../../../shared/orders/order-transitions.ts";
import { pick } from "../../../shared/picking/picking.ts";
import { afterOf, createdAt, itemOf, later, orderOf, pickOf } from "../samples.ts";

/** The entry for these changes of an order. */
const entryFor = (changes: Partial<Order>, before: Order = orderOf()): HistoryEntry =>
  historyOf(before, nextVersion(before, changes, later), "account:100");

/** An item as the history shows it. */
const shown = { sku: "TEE", ordered_as: "TEE", quantity: 2, sold_price: null, returned: 0 };
/** A pick of one unit as the history shows it. */
const picked = { sku: "TEE", bin_id: 1, location: "A1", bin: "01", quantity: 1, by: "manager" };

describe("an entry of an order's history", () => {
  test.each([
    "order_number",
    "order_reference",
    "shipping_method",
    "order_type_id",
    "store",
    "warehouse_id",
    "kits",
    "sub_status",
    "weight",
    "weight_updated_at",
    "tracking_number",
    "carrier",
    "picker",
  ] as const)("holds what %s may be, before and after", (field) => {
    const { from, to } = historyEntry.shape[field]._zod.def.innerType.shape;

    expect(from).toBe(order.shape[field]);
    expect(to).toBe(order.shape[field]);
  });

  test("says who changed it and when", () => {
    expect(entryFor({ weight: 2 })).toMatchObject({ by: "account:100", at: later });
  });

  test("shows the status before and after, if it changed", () => {
    const before = orderOf();

    const entry = historyOf(before, afterOf(cancel(before, later)), "account:100");

    expect(entry).toEqual({
      at: later,
      by: "account:100",
      status: { from: "Pending", to: "Cancelled" },
    });
  });

  test("shows the items before and after, if they changed, with what was returned", () => {
    const entry = entryFor({ items: [itemOf({ returned: 1 }), itemOf({ sku: "MUG", product_id: 2 })] });

    expect(entry).toEqual({
      at: later,
      by: "account:100",
      items: {
        from: [shown],
        to: [
          { ...shown, returned: 1 },
          { ...shown, sku: "MUG" },
        ],
      },
    });
  });

  const marketplace = { id: 2, name: "Demo Marketplace" };
  const kit = { synset: "KIT", quantity: 2, sold_price: 19.95 };
  test.each<[string, Partial<Order>, { readonly from: unknown; readonly to: unknown }]>([
    ["order_number", { order_number: "A-2" }, { from: "A-1", to: "A-2" }],
    ["order_reference", { order_reference: "PO-7" }, { from: null, to: "PO-7" }],
    ["shipping_method", { shipping_method: "EXPRESS" }, { from: "GROUND", to: "EXPRESS" }],
    ["order_type_id", { order_type_id: 3 }, { from: 1, to: 3 }],
    ["store", { store: marketplace }, { from: null, to: marketplace }],
    ["warehouse_id", { warehouse_id: 2 }, { from: 1, to: 2 }],
    ["kits", { kits: [kit] }, { from: [], to: [kit] }],
    ["sub_status", { sub_status: "on hold" }, { from: null, to: "on hold" }],
    ["weight", { weight: 2.5 }, { from: null, to: 2.5 }],
    ["weight_updated_at", { weight_updated_at: later }, { from: null, to: later }],
    ["tracking_number", { tracking_number: "TRACK-1" }, { from: null, to: "TRACK-1" }],
    ["carrier", { carrier: "Parcel Post" }, { from: null, to: "Parcel Post" }],
    ["picker", { picker: "manager" }, { from: null, to: "manager" }],
  ])("has %s before and after where only that changed", (name, changes, values) => {
    expect(entryFor(changes)).toEqual({ at: later, by: "account:100", [name]: values });
  });

  test("names every field that changed", () => {
    const entry = entryFor({ status: "Processing", picker: "manager", weight: 2 });

    expect(changedIn(entry)).toEqual(["status", "weight", "picker"]);
  });

  test("covers every field of an order but its owner, its creation, its times and internal fields", () => {
    const untold = ["account_id", "order_id", "order_api", "created_by", "created_at", "updated_at"];
    const internal = ["shipped_at", "cancelled_at", "weighed_by", "reverted_by", "version"];

    const fields = Object.keys(order.shape).filter((name) => !(name in historyEntry.shape));

    expect(fields.sort()).toEqual([...untold, ...internal].sort());
  });

  test("never repeats a customer's data, and says only that they changed", () => {
    const before = orderOf();
    const customer = { ...before.customer, firstname: "Grace", email: "grace@example.com" };

    const entry = entryFor({ customer }, before);

    expect(entry).toEqual({ at: later, by: "account:100", customer: true });
  });
});

describe("picks in an order's history", () => {
  const items = [itemOf({ quantity: 9 })];
  const earlier = [pickOf({ quantity: 2 }), pickOf({ bin_id: 2, bin: "02" })];
  const before = orderOf({ status: "Processing", picker: "manager", items, picks: earlier });

  test("are what was taken with this change, not what was taken before", () => {
    const after = afterOf(
      pick(
        before,
        { userName: "manager", picks: [pickOf({ quantity: 3, by: "bob" }), pickOf({ bin_id: 3 })] },
        later,
      ),
    );

    expect(historyOf(before, after, "user:bob")).toEqual({
      at: later,
      by: "user:bob",
      picks: {
        added: [
          { ...picked, quantity: 3, by: "bob" },
          { ...picked, bin_id: 3 },
        ],
        removed: [],
      },
    });
  });

  test("are removed when the order is reverted", () => {
    const after = afterOf(revert(before, { revertedBy: 7, last: null }, later));

    expect(historyOf(before, after, "user:manager")).toEqual({
      at: later,
      by: "user:manager",
      status: { from: "Processing", to: "Pending" },
      picker: { from: "manager", to: null },
      picks: {
        added: [],
        removed: [
          { ...picked, quantity: 2 },
          { ...picked, bin_id: 2, bin: "02" },
        ],
      },
    });
  });
});

describe("the first entry of a history", () => {
  test("is who placed the order and when, whatever became of it since", () => {
    const order = orderOf({ status: "Shipped", created_by: "account:7", updated_at: later });

    expect(creationEntry(order)).toEqual({
      at: createdAt,
      by: "account:7",
      status: { from: null, to: "Pending" },
    });
  });
});
