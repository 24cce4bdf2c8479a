import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  manufactureInput,
  newManufactureOrder,
  updateManufactureOrder,
} from "../../../shared/registries/manufacture/manufacture-order.ts";
import { createdAt, later } from "../samples.ts";

const terms = {
  manufacture_number: "MO-1",
  status: "Pending",
  sku: "TEE",
  quantity: 1,
  due_date: null,
  product_id: 1,
  distribution_center: "MAIN",
} as const;

describe("what is stated of a manufacture order", () => {
  const input = { manufacture_number: "MO-1", status: "Pending", sku: "TEE", quantity: 1, due_date: null };

  test.each([{}, { quantity: 1_000_000_000 }, { due_date: "2028-02-29" }, { status: "Completed" }])(
    "can be %j",
    (more) => {
      expect(z.parse(manufactureInput, { ...input, ...more })).toEqual({ ...input, ...more });
    },
  );

  test.each([
    { manufacture_number: "" },
    { manufacture_number: "x".repeat(101) },
    { sku: "" },
    { quantity: 0 },
    { quantity: 1.5 },
    { quantity: 1_000_000_001 },
    { status: "pending" },
    { due_date: "2026-02-30" },
    { due_date: "31.3.2026" },
  ])("cannot be %j", (more) => {
    expect(z.safeParse(manufactureInput, { ...input, ...more }).success).toBe(false);
  });
});

test("a manufacture order that is set up again is its next version, and is never dated before it", () => {
  const before = newManufactureOrder(terms, { account_id: 100, manufacture_id: 7, at: later });

  const after = updateManufactureOrder(before, { ...terms, quantity: 2 }, createdAt);

  expect(after).toEqual({ ...before, quantity: 2, version: 2 });
});
