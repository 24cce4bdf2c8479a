import { describe, expect, test } from "vitest";
import { duplicateErrors, duplicatePositions } from "../../../shared/common/problem.ts";

const named = ["A", "B", "A", "B", "A"].map((name, position) => ({ name, path: `data.${position}.sku` }));

describe("duplicates in a list", () => {
  test("are each place of a name but its first", () => {
    expect(duplicateErrors(named)).toEqual([
      { path: "data.2.sku", message: "is in this call twice (A)" },
      { path: "data.3.sku", message: "is in this call twice (B)" },
      { path: "data.4.sku", message: "is in this call twice (A)" },
    ]);
  });
});

test.each<[string, readonly (string | number | undefined)[], readonly number[]]>([
  ["an empty call", [], []],
  ["a call whose keys all differ, if only by case", ["A", "a", "B"], []],
  ["each later place of a key", ["A", "B", "A", "A", "B"], [2, 3, 4]],
  ["the second id, but no places without a key", [undefined, 1, undefined, 1], [3]],
  ["a number and a text that look alike", [1, "1"], []],
])("duplicates are found in %s", (_rule, keys, expected) => {
  expect([...duplicatePositions(keys)]).toEqual(expected);
});
