import { describe, expect, test } from "vitest";
import { placed } from "../../../shared/common/placed.ts";
import { resolveSerials, type SerialsInput } from "../../../shared/serials/serial.ts";
import { linesOf, problemOf } from "../samples.ts";

const productIds = new Map([
  ["TEE", 2001],
  ["MUG", 2002],
]);

const resolve = (inputs: readonly SerialsInput[]) =>
  resolveSerials(placed(inputs), { productId: (sku) => productIds.get(sku), isTaken: () => false });

const wrong = (inputs: readonly SerialsInput[]) => linesOf(problemOf(() => resolve(inputs)));

describe("serials of a call", () => {
  test("are different if only their case differs", () => {
    expect(resolve([{ sku: "TEE", serials: ["a", "A"] }])).toHaveLength(1);
  });

  test("are rejected if one is repeated in its record", () => {
    expect(wrong([{ sku: "TEE", serials: ["A", "B", "A", "A"] }])).toEqual([
      "data.0.serials.2 is in this call twice (A)",
      "data.0.serials.3 is in this call twice (A)",
    ]);
  });
});
