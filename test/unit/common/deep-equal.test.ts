import { describe, expect, test } from "vitest";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";

describe("two values", () => {
  test.each<[unknown, unknown]>([
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [[], []],
  ])("%j and %j are the same", (left, right) => {
    expect(isDeepEqual(left, right)).toBe(true);
  });

  test.each<[unknown, unknown]>([
    [{ a: 1 }, { a: "1" }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [[1], [1, 2]],
    [[], {}],
    [null, {}],
  ])("%j and %j are not the same", (left, right) => {
    expect(isDeepEqual(left, right)).toBe(false);
    expect(isDeepEqual(right, left)).toBe(false);
  });
});
