import { describe, expect, test } from "vitest";
import {
  barcodeOf,
  departed,
  orderStatuses,
  pickPlaceOf,
  placed,
  promised,
  statusIds,
} from "../../../shared/orders/order.ts";
import { createdAt, itemOf, orderOf, pickOf, termsOf } from "../samples.ts";

describe("statuses", () => {
  test("have the codes of the interface and the decisions", () => {
    expect(statusIds).toEqual({ Pending: 1, Processing: 4, Shipped: 9, Cancelled: 10 });
  });

  test("are all in the list of statuses", () => {
    expect([...orderStatuses].sort()).toEqual(Object.keys(statusIds).sort());
  });
});

describe("a placed order", () => {
  const identity = { account_id: 100, order_id: 1001, order_api: "rt-x", by: "account:100", at: createdAt };

  test("is Pending, in its first version, with nothing of its later life", () => {
    const after = placed(termsOf(), identity);

    expect(after).toEqual(orderOf({ version: 1 }));
  });

  test("has the terms that were agreed", () => {
    const store = { id: 2, name: "Demo Marketplace" };

    const after = placed(termsOf({ store, order_reference: "PO-7" }), identity);

    expect(after).toMatchObject({ store, order_reference: "PO-7" });
  });
});

describe("what an order reserves", () => {
  const items = [itemOf(), itemOf({ product_id: 2, quantity: 3 })];

  test.each(["Pending", "Processing"] as const)("is its items while it is %s", (status) => {
    expect(promised(orderOf({ status, items }))).toEqual(items);
  });

  test.each(["Shipped", "Cancelled"] as const)("is nothing once it is %s", (status) => {
    expect(promised(orderOf({ status, items }))).toEqual([]);
  });
});

describe("what has left the warehouse", () => {
  const items = [itemOf(), itemOf({ product_id: 2, quantity: 3 })];

  test("is an order's items once it is Shipped", () => {
    expect(departed(orderOf({ status: "Shipped", items }))).toEqual(items);
  });

  test.each(["Pending", "Processing", "Cancelled"] as const)(
    "is nothing of an order that is %s, picked or not",
    (status) => {
      expect(departed(orderOf({ status, items, picks: [pickOf({ quantity: 2 })] }))).toEqual([]);
    },
  );
});

describe("the place of a pick", () => {
  test("is told apart by product and by bin, also where their ids read alike when joined", () => {
    const places = [
      pickOf({ product_id: 1, bin_id: 11 }),
      pickOf({ product_id: 11, bin_id: 1 }),
      pickOf({ product_id: 1, bin_id: 1 }),
    ];

    expect(new Set(places.map(pickPlaceOf)).size).toBe(3);
  });

  test("is the same whoever picked how much there", () => {
    expect(pickPlaceOf(pickOf({ quantity: 1, by: "ann" }))).toBe(pickPlaceOf(pickOf({ quantity: 2 })));
  });
});

describe("the barcode", () => {
  test.each([
    [1, "NB0000000001"],
    [1001, "NB0000001001"],
    [9_999_999_999, "NB9999999999"],
  ])("of order %i is %s", (orderId, barcode) => {
    expect(barcodeOf(orderId)).toBe(barcode);
  });
});
