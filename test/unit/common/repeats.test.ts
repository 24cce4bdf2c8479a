import { describe, expect, test } from "vitest";
import { repeating, repeats } from "../../../shared/common/repeats.ts";

const pathOf = (position: number) => `data.${position}.sku`;

describe("repeats in a list", () => {
  test.each([[[]], [["A"]], [["A", "B", "a", "A "]]])("are none in %j", (names) => {
    expect(repeats(names, pathOf)).toEqual([]);
  });

  test("are each place of a name but its first", () => {
    expect(repeats(["A", "B", "A", "B", "A"], pathOf)).toEqual([
      { path: "data.2.sku", message: "is in this call twice (A)" },
      { path: "data.3.sku", message: "is in this call twice (B)" },
      { path: "data.4.sku", message: "is in this call twice (A)" },
    ]);
  });

  test("say what list it is", () => {
    expect(repeats(["A", "A"], pathOf, "this synset")).toEqual([
      { path: "data.1.sku", message: "is in this synset twice (A)" },
    ]);
  });
});

const repeatsIn = (keys: readonly (string | number | undefined)[]): readonly number[] =>
  keys.flatMap((_, position) => (repeating(keys)(position) ? [position] : []));

test.each<[string, readonly (string | number | undefined)[], readonly number[]]>([
  ["nothing in an empty call", [], []],
  ["nothing where all differ, if only by case", ["A", "a", "B"], []],
  ["each later place of a key", ["A", "B", "A", "A", "B"], [2, 3, 4]],
  ["no places without a key", [undefined, 1, undefined, 1], [3]],
  ["no number that reads like a text", [1, "1"], []],
])("a call repeats %s", (_rule, keys, expected) => {
  expect(repeatsIn(keys)).toEqual(expected);
});
