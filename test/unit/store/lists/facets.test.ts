import { describe, expect, test } from "vitest";
import {
  columnsOf,
  facetKeysIn,
  facets,
  noFacet,
  unfiltered,
} from "../../../../shared/store/lists/facets.ts";

const { key, matching } = facets("channel", "center");

const matches = (wanted: Parameters<typeof matching>[0], at: { channel: number; center: number }) =>
  matching(wanted).matches?.(key(at));

describe("the facet key of a record", () => {
  test("has the facets in the order of their names, whatever the order of the values", () => {
    expect(key({ center: 0, channel: 12 })).toBe("12|0");
  });
});

describe("a filter by facets", () => {
  test.each<[string, Parameters<typeof matching>[0], boolean]>([
    ["one facet", { channel: 2 }, true],
    ["another value of it", { channel: 1 }, false],
    ["a value that begins like it", { channel: 20 }, false],
    ["all facets", { channel: 2, center: 1 }, true],
    ["all facets, one of which differs", { channel: 2, center: 2 }, false],
    ["the value of another facet", { center: 2 }, false],
    ["a value that no record has", { channel: noFacet }, false],
    ["a facet beside one that is left open", { channel: undefined, center: 1 }, true],
  ])("handles %s", (_case, wanted, expected) => {
    expect(matches(wanted, { channel: 2, center: 1 })).toBe(expected);
  });

  test("by 0 matches the records that have none", () => {
    expect(matches({ center: 0 }, { channel: 2, center: 0 })).toBe(true);
    expect(matches({ center: 0 }, { channel: 2, center: 1 })).toBe(false);
  });

  test.each([
    ["a list that was not filtered", unfiltered, { channel: 0 }],
    ["a list that was not filtered", unfiltered, { center: 0 }],
    ["a list of one facet", "5", { center: 0 }],
    ["a list that left the new facet empty", "5|", { center: 0 }],
  ])("by 0 does not match a facet key from %s: %s %j", (_case, stored, wanted) => {
    expect(matching(wanted).matches?.(stored)).toBe(false);
  });

  test.each([{}, { channel: undefined, center: undefined }])(
    "without values does not filter: %j",
    (wanted) => {
      expect(matching(wanted)).toEqual({});
    },
  );
});

describe("facet keys as columns", () => {
  test.each([
    ["of one facet", ["5", "0", "12"]],
    ["of several facets", ["1|10|3", "1|11|3", "2|10|0"]],
    ["from before their list got a facet, and later ones", ["1|10", "1|10|3"]],
    ["of a list that is not filtered", [unfiltered]],
  ])("convert back to the same facet keys: %s", (_case, facetKeys) => {
    expect(facetKeysIn(columnsOf(facetKeys))).toEqual(facetKeys);
  });
});
