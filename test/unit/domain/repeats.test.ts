import { describe, expect, test } from "vitest";
import { repeats } from "../../../shared/domain/repeats.ts";

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
