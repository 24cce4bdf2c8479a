import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { matchesType } from "../../../shared/events/event.ts";
import { feedHeadOf } from "../../../shared/events/feed-repository.ts";
import { recordVersionsIn } from "../../../shared/events/kind.ts";

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

describe("a feed is behind", () => {
  const at = (seconds: number) =>
    new Date(Date.parse("2026-11-22T10:00:00.000Z") + seconds * 1000).toISOString();
  test.each<[string, object, number]>([
    ["by the age of the oldest change of a batch just published", { published_at: at(-1), lag: 7_900 }, 7],
    ["not by less than a second", { published_at: at(0), lag: 999 }, 0],
    ["not once no further batch follows", { published_at: at(-6), lag: 7_900 }, 0],
    ["not if an earlier release published the batch", {}, 0],
    ["not if the change is dated by a clock that is ahead", { published_at: at(0), lag: -2_000 }, 0],
  ])("%s", (_when, noted, seconds) => {
    expect(feedHeadOf({ sequence: 3, ...noted }, at(0)).lagSeconds).toBe(seconds);
  });
});

test("a change of an item that leaves the record's version is no change of the record", () => {
  const changed = (from: number, to: number) =>
    recordVersionsIn(z.object({ version: z.int() }), ({ version }) => version, {
      ...{ id: "change", sequence: "1", table: "orders", key: { pk: "order#1", sk: "-" }, at: "" },
      before: { version: from },
      after: { version: to },
    });

  expect(changed(1, 1)).toBeUndefined();
  expect(changed(1, 2)).toMatchObject({ before: { version: 1 }, after: { version: 2 } });
});
