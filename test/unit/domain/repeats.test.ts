import { expect, test } from "vitest";
import { repeating } from "../../../shared/domain/repeats.ts";

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
