import { describe, expect, test } from "vitest";
import {
  type Corrected,
  correctedBy,
  quantityAfter,
  superseded,
} from "../../../../shared/domain/stock/recount.ts";

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

describe("a correction that was overtaken on its way", () => {
  test.each<[string, Corrected, "absolute" | "relative", string | undefined]>([
    ["a change, by nothing", {}, "relative", undefined],
    ["a change, by an earlier count", { counted_by: 4 }, "relative", undefined],
    ["a change, by a later change", { changed_by: 6 }, "relative", undefined],
    [
      "a change, by a later count",
      { counted_by: 6 },
      "relative",
      "superseded by correction 6, a later count",
    ],
    ["a count, by earlier ones", { counted_by: 3, changed_by: 4 }, "absolute", undefined],
    ["a count, by a later count", { counted_by: 6 }, "absolute", "superseded by correction 6, a later count"],
    [
      "a count, by a later change",
      { changed_by: 6 },
      "absolute",
      "superseded by correction 6, a later change",
    ],
  ])("%s", (_case, corrected, kind, reason) => {
    expect(superseded(corrected, { id: 5, kind })).toBe(reason);
  });

  test("leaves the latest of its sort noted", () => {
    expect(correctedBy({}, { id: 5, kind: "absolute" })).toEqual({ counted_by: 5 });
    expect(correctedBy({}, { id: 5, kind: "relative" })).toEqual({ changed_by: 5 });
    expect(correctedBy({ changed_by: 4 }, { id: 5, kind: "relative" })).toEqual({ changed_by: 5 });
    expect(correctedBy({ changed_by: 6 }, { id: 5, kind: "relative" })).toEqual({});
  });
});
