import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  commissioned,
  type ManufactureTerms,
  manufactureInput,
  recommissioned,
} from "../../../shared/registries/manufacture/manufacture-order.ts";
import { createdAt, later } from "../samples.ts";

const terms: ManufactureTerms = {
  manufacture_number: "MO-1",
  status: "Processing",
  sku: "TEE",
  quantity: 40,
  due_date: "2026-03-31",
  product_id: 2001,
  distribution_center: "MAIN",
};
const identity = { account_id: 100, manufacture_id: 5000 };

describe("a manufacture order", () => {
  test("begins with what was stated, in its first version", () => {
    expect(commissioned(terms, { ...identity, at: createdAt })).toEqual({
      ...terms,
      ...identity,
      created_at: createdAt,
      updated_at: createdAt,
      version: 1,
    });
  });

  test("set up again has nothing of what was stated before, and keeps its account, id and creation", () => {
    const before = commissioned(terms, { ...identity, at: createdAt });
    const others: ManufactureTerms = {
      manufacture_number: "MO-1",
      status: "Cancelled",
      sku: "MUG",
      quantity: 1,
      due_date: null,
      product_id: 2002,
      distribution_center: "EAST",
    };

    expect(recommissioned(before, others, later)).toEqual({
      ...others,
      ...identity,
      created_at: createdAt,
      updated_at: later,
      version: 2,
    });
  });
});

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
