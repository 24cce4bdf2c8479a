import { describe, expect, test } from "vitest";
import { barcodeOf, orderIdInBarcode } from "../../../shared/orders/order.ts";
import { ordersToWeigh, resolveWeighings } from "../../../shared/picking/weighing.ts";
import { linesOf, problemOf, sampleOrder } from "../samples.ts";

describe("a barcode", () => {
  test.each([1, 1001, 9_999_999_999, 10_000_000_000, 999_999_999_999])(
    "of order %i leads back to it",
    (id) => {
      expect(orderIdInBarcode(barcodeOf(id))).toBe(id);
    },
  );

  test.each([
    "",
    "NB",
    "1001",
    "NB1001",
    "NB0000000000",
    "NB00000001001",
    "NB000000001",
    "nb0000001001",
    "NB0000001001 ",
    " NB0000001001",
    "NB00000010O1",
    "NB-000001001",
    "NB1000000000000",
  ])("%j is not one of the service's", (text) => {
    expect(orderIdInBarcode(text)).toBeUndefined();
  });
});

describe("the weights of a call", () => {
  const orders = new Map([
    [1, { record: sampleOrder({ order_id: 1, status: "Processing" }) }],
    [2, { record: sampleOrder({ order_id: 2, status: "Shipped" }) }],
    [3, { record: sampleOrder({ order_id: 3, status: "Pending" }) }],
    [4, { record: sampleOrder({ order_id: 4, status: "Cancelled" }) }],
  ]);
  const record = (id: number, weight = 1) => ({ nbtybarcode: barcodeOf(id), weight });
  const linesFor = (...inputs: Parameters<typeof resolveWeighings>[0]) =>
    linesOf(problemOf(() => resolveWeighings(inputs, orders)));

  test("become one for each order, in the call's order", () => {
    expect(resolveWeighings([record(2, 1.5), record(1, 0)], orders)).toEqual([
      { order_id: 2, weight: 1.5 },
      { order_id: 1, weight: 0 },
    ]);
  });

  test("are looked up by the ids in their barcodes, and invalid barcodes are left out", () => {
    expect(ordersToWeigh([record(7), { nbtybarcode: "X", weight: 1 }, record(2)])).toEqual([7, 2]);
  });

  test("are refused as a whole, naming each record that is wrong", () => {
    const lines = linesFor(
      record(1),
      record(9),
      { nbtybarcode: "X-1", weight: 1 },
      record(3),
      record(4),
      record(1),
    );

    const refused = "only a Processing or Shipped order can be weighed";
    expect(lines).toEqual([
      "data.5.nbtybarcode is in this call twice (NB0000000001)",
      "data.1.nbtybarcode is the barcode of no order (NB0000000009)",
      "data.2.nbtybarcode is the barcode of no order (X-1)",
      `data.3.nbtybarcode is of an order that is Pending; ${refused} (NB0000000003)`,
      `data.4.nbtybarcode is of an order that is Cancelled; ${refused} (NB0000000004)`,
    ]);
  });
});
