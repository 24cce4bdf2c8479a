import { describe, expect, test } from "vitest";
import { nextVersion } from "../../../shared/common/versioned.ts";
import { type Order, order } from "../../../shared/orders/order.ts";
import {
  changedIn,
  type HistoryEntry,
  historyEntry,
  historyOf,
} from "../../../shared/orders/order-history.ts";
import { itemOf, later, sampleOrder } from "../samples.ts";

/** The entry for these changes of an order. */
const entryFor = (changes: Partial<Order>, before: Order = sampleOrder()): HistoryEntry =>
  historyOf(before, nextVersion(before, changes, later), "account:100");

/** Fields that an entry holds as an order has them. */
type Kept = Exclude<keyof HistoryEntry & keyof Order, "status" | "items" | "customer" | "picks">;

/** An item as the history shows it. */
const shown = { sku: "TEE", ordered_as: "TEE", quantity: 2, sold_price: null, returned: 0 };

describe("an entry of an order's history", () => {
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
  test.each<[Kept, Partial<Order>, { readonly from: unknown; readonly to: unknown }]>([
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
  ])("has %s before and after where only that changed, each as an order has it", (name, changes, values) => {
    const { from, to } = historyEntry.shape[name]._zod.def.innerType.shape;

    expect(entryFor(changes)).toEqual({ at: later, by: "account:100", [name]: values });
    expect([from, to]).toEqual([order.shape[name], order.shape[name]]);
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
});
