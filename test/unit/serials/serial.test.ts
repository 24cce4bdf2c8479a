import { describe, expect, test } from "vitest";
import { resolveSerials, type SerialsInput } from "../../../shared/serials/serial.ts";
import { linesOf, problemOf } from "../samples.ts";

const productIds = new Map([
  ["TEE", 2001],
  ["MUG", 2002],
]);

/** `taken` are the serials that TEE has already. */
const resolve = (inputs: readonly SerialsInput[], taken: readonly string[] = []) =>
  resolveSerials(inputs, {
    productId: (sku) => productIds.get(sku),
    isTaken: (productId, serial) => productId === 2001 && taken.includes(serial),
  });

const wrong = (inputs: readonly SerialsInput[], taken?: readonly string[]) =>
  linesOf(problemOf(() => resolve(inputs, taken)));

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

  test("are rejected if one is repeated in another record of the product", () => {
    const inputs = [
      { sku: "TEE", serials: ["A"] },
      { sku: "MUG", serials: ["A"] },
      { sku: "TEE", serials: ["B", "A"] },
    ];

    expect(wrong(inputs)).toEqual(["data.2.serials.1 is in this call twice (A)"]);
  });
});
