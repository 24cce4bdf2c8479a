import { describe, expect, test } from "vitest";
import { matchesType } from "../../../shared/events/event.ts";

describe("what names a type", () => {
  test.each<[readonly string[], boolean]>([
    [["order.created"], true],
    [["order.*"], true],
    [["*"], true],
    [["stock.changed", "order.*"], true],
    [["order.updated"], false],
    [["ord.*"], false],
    [["order"], false],
    [[], false],
  ])("%j names order.created: %s", (types, names) => {
    expect(matchesType(types, "order.created")).toBe(names);
  });
});
