import { describe, expect, test } from "vitest";
import { namesType } from "../../../shared/events/event.ts";

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
    expect(namesType(types, "order.created")).toBe(names);
  });
});
