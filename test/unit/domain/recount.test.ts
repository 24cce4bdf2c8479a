import { describe, expect, test } from "vitest";
import { quantityAfter } from "../../../shared/domain/recount.ts";

describe("what a bin holds after", () => {
  test.each([
    { before: 10, by: 5, after: 15 },
    { before: 10, by: -10, after: 0 },
    { before: 10, by: 0, after: 10 },
    { before: 10, by: -11, after: -1 },
  ])("a change of $before by $by is $after", ({ before, by, after }) => {
    expect(quantityAfter(before, { kind: "relative", quantity: by })).toBe(after);
  });

  test.each([0, 3, 10, 25])("being set to %i is that, whatever it held", (quantity) => {
    expect(quantityAfter(10, { kind: "absolute", quantity })).toBe(quantity);
  });
});
