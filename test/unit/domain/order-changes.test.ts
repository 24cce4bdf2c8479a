import { describe, expect, test } from "vitest";
import { type Order, type OrderPick, orderStatuses } from "../../../shared/domain/order.ts";
import { type Decision, goodsPicked, revert, weigh } from "../../../shared/domain/order-changes.ts";
import { historyOf } from "../../../shared/domain/order-history.ts";
import { later, orderOf } from "../samples.ts";

const outcomeOf = (decision: Decision): Order | string =>
  "problem" in decision ? decision.problem.message : decision.after;

const pickOf = (more: Partial<OrderPick> = {}): OrderPick => ({
  product_id: 1,
  sku: "TEE",
  bin_id: 11,
  location: "A1",
  bin: "01",
  distribution_center_id: 1,
  quantity: 2,
  by: "manager",
  at: later,
  ...more,
});

describe("reverting an order", () => {
  const picked = orderOf({ status: "Processing", picker: "manager", picks: [pickOf()] });

  test("makes it Pending, nobody's to pick, with nothing picked, and notes by which job", () => {
    const after = outcomeOf(revert(picked, { revertedBy: 7, last: null }, later));

    expect(after).toEqual({
      ...picked,
      status: "Pending",
      picker: null,
      picks: [],
      reverted_by: 7,
      updated_at: later,
      version: picked.version + 1,
    });
  });

  test.each(orderStatuses.filter((status) => status !== "Processing"))("that is %s is refused", (status) => {
    const before = orderOf({ status });

    expect(outcomeOf(revert(before, { revertedBy: 7, last: null }, later))).toBe(
      `Order ${before.order_id} is ${status}; only a Processing order can be reverted to Pending`,
    );
  });

  test.each([
    { reverted_by: 4, last: null },
    { reverted_by: 6, last: 4 },
  ])("that revert $reverted_by has sent away since the job saw $last is refused", ({ reverted_by, last }) => {
    const before = { ...picked, reverted_by };

    expect(outcomeOf(revert(before, { revertedBy: 7, last }, later))).toBe(
      `Order ${before.order_id} left Processing meanwhile: revert ${reverted_by} was applied`,
    );
  });

  test("that was reverted before the job was accepted is not", () => {
    const after = outcomeOf(revert({ ...picked, reverted_by: 4 }, { revertedBy: 7, last: 4 }, later));

    expect(after).toMatchObject({ status: "Pending", reverted_by: 7 });
  });
});

describe("what was picked for an order", () => {
  test("is one quantity for each product and bin", () => {
    const picks = [
      pickOf({ quantity: 2 }),
      pickOf({ quantity: 3, bin_id: 12, bin: "02" }),
      pickOf({ quantity: 4 }),
      pickOf({ quantity: 5, product_id: 2, sku: "MUG" }),
    ];

    expect(goodsPicked(orderOf({ picks }))).toEqual([
      { product_id: 1, location: "A1", bin: "01", quantity: 6 },
      { product_id: 1, location: "A1", bin: "02", quantity: 3 },
      { product_id: 2, location: "A1", bin: "01", quantity: 5 },
    ]);
  });

  test("is nothing for an order that nobody picked", () => {
    expect(goodsPicked(orderOf())).toEqual([]);
  });
});

describe("weighing an order", () => {
  test.each(["Processing", "Shipped"] as const)(
    "that is %s sets its weight and when, and nothing else",
    (status) => {
      const before = orderOf({ status });

      const after = outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later));

      expect(after).toEqual({
        ...before,
        weight: 2.5,
        weight_updated_at: later,
        weighed_by: 9,
        updated_at: later,
        version: before.version + 1,
      });
    },
  );

  test.each(["Pending", "Cancelled"] as const)("that is %s is refused", (status) => {
    const before = orderOf({ status });

    expect(outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later))).toBe(
      `Order ${before.order_id} is ${status}; only a Processing or Shipped order can be weighed`,
    );
  });

  test.each([
    { by: 8, weighedBy: 9, weight: 2.5 },
    { by: 10, weighedBy: 9, weight: "superseded by weight 10, a later one" },
  ])("by job $weighedBy after job $by comes to $weight", ({ by, weighedBy, weight }) => {
    const before = orderOf({ status: "Shipped", weight: 1, weighed_by: by });

    const outcome = outcomeOf(weigh(before, { weight: 2.5, weighedBy }, later));

    expect(typeof outcome === "string" ? outcome : outcome.weight).toBe(weight);
  });
});

test("the history tells of a weight and of a revert, and not which jobs they were", () => {
  const before = orderOf({ status: "Processing", picker: "manager", picks: [pickOf()] });
  const weighed = outcomeOf(weigh(before, { weight: 2.5, weighedBy: 9 }, later));
  const reverted = outcomeOf(revert(before, { revertedBy: 7, last: null }, later));
  if (typeof weighed === "string" || typeof reverted === "string") throw new Error("refused");

  expect(historyOf(before, weighed, "user:manager").changed).toEqual(["weight", "weight_updated_at"]);
  expect(historyOf(before, reverted, "user:manager").changed).toEqual(["status", "picker", "picks"]);
});
