import { describe, expect, test } from "vitest";
import { resolveReversions } from "../../../shared/picking/reversion.ts";
import { linesOf, problemOf, sampleOrder } from "../samples.ts";

const orders = new Map([
  [1, { record: sampleOrder({ order_id: 1, status: "Processing" }) }],
  [2, { record: sampleOrder({ order_id: 2, status: "Processing", reverted_by: 50 }) }],
  [3, { record: sampleOrder({ order_id: 3, status: "Pending" }) }],
  [4, { record: sampleOrder({ order_id: 4, status: "Shipped" }) }],
]);

describe("the shipments of a call", () => {
  test("become one job each, in the call's order, that knows the last revert", () => {
    expect(resolveReversions([2, 1], orders)).toEqual([
      { order_id: 2, last: 50 },
      { order_id: 1, last: null },
    ]);
  });

  test("are refused as a whole, with all ids that can't be reverted in the message", () => {
    const problem = problemOf(() => resolveReversions([1, 3, 9, 4, 8], orders));

    expect(problem.kind).toBe("invalid");
    expect(problem.message).toBe(
      "Nothing was reverted; shipments not in the warehouse: 9, 8; " +
        "shipments not in Processing: 3 (Pending), 4 (Shipped)",
    );
    expect(linesOf(problem)).toEqual([
      "shipments_list.1 is Pending, not in Processing (3)",
      "shipments_list.2 is not in the warehouse (9)",
      "shipments_list.3 is Shipped, not in Processing (4)",
      "shipments_list.4 is not in the warehouse (8)",
    ]);
  });

  test("are reverted once if they are named twice, and an error about one is listed once", () => {
    expect(resolveReversions([1, 2, 1], orders).map(({ order_id }) => order_id)).toEqual([1, 2]);
    expect(linesOf(problemOf(() => resolveReversions([1, 1, 9, 9, 3], orders)))).toEqual([
      "shipments_list.2 is not in the warehouse (9)",
      "shipments_list.4 is Pending, not in Processing (3)",
    ]);
  });
});
