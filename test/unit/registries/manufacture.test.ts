import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { manufactureInput } from "../../../shared/registries/manufacture/manufacture-order.ts";

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
