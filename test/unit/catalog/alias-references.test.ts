import { describe, expect, test } from "vitest";
import type { AliasInput } from "../../../shared/catalog/aliases/alias.ts";
import {
  type AliasReferences,
  duplicateNames,
  resolveAlias,
  resolveNewAliases,
} from "../../../shared/catalog/aliases/alias-references.ts";
import { accepted, linesOf, problemOf } from "../samples.ts";

/**
 * An account with the product TEE, the stores 1 and 2, one center, and the alias 3001 called TAKEN in channel
 * 2 and everywhere.
 */
const references: AliasReferences = {
  product: (sku) => (sku === "TEE" ? { product_id: 2001 } : undefined),
  hasStore: (id) => id === 1 || id === 2,
  center: (code) => (code === "EAST" ? { distribution_center_id: 2, code } : undefined),
  accepted,
  holder: ({ alias, channel_id }) =>
    alias === "TAKEN" && (channel_id === 2 || channel_id === null) ? 3001 : undefined,
};

const inputOf = (more: Partial<AliasInput> = {}): AliasInput => ({
  sku: "TEE",
  alias: "EXT-TEE",
  channel_id: 2,
  ...more,
});

const resolve = (more: Partial<AliasInput>, own?: number) =>
  resolveAlias(inputOf(more), references, {
    path: "data.3",
    repeats: false,
    ...(own === undefined ? {} : { own: { alias_id: own, alias: "OWN\u3164" } }),
  });

function wrong(more: Partial<AliasInput>, own?: number): readonly string[] {
  const resolved = resolve(more, own);
  return "errors" in resolved ? resolved.errors.map(({ path, message }) => `${path} ${message}`) : [];
}

describe("what an alias refers to", () => {
  test("is resolved to the product's and the center's id", () => {
    expect(resolve({ distribution_center: "EAST" })).toEqual({
      terms: {
        sku: "TEE",
        product_id: 2001,
        alias: "EXT-TEE",
        channel_id: 2,
        distribution_center: "EAST",
        distribution_center_id: 2,
      },
    });
  });

  test.each([null, undefined])("may be every channel: %s", (channel_id) => {
    expect(resolve({ channel_id })).toMatchObject({ terms: { alias: "EXT-TEE", channel_id: null } });
  });

  test("may be no distribution center", () => {
    expect(resolve({})).toMatchObject({
      terms: { distribution_center: null, distribution_center_id: null },
    });
  });

  test.each<[Partial<AliasInput>, string]>([
    [{ sku: "tee" }, "sku is not a known SKU (tee)"],
    [
      { channel_id: 3 },
      "channel_id is not a store of the account (3); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
    ],
    [
      { distribution_center: "east" },
      "distribution_center is not a registered distribution center (east); registered are EAST, MAIN",
    ],
    [
      { distribution_center: "" },
      "distribution_center is not a registered distribution center (); registered are EAST, MAIN",
    ],
    [{ alias: "TAKEN" }, "alias already exists in channel 2 (TAKEN)"],
    [{ alias: "TAKEN", channel_id: undefined }, "alias already exists for every channel (TAKEN)"],
    [{ alias: "TAKEN", channel_id: null }, "alias already exists for every channel (TAKEN)"],
  ])("must be there, or free: %j", (more, message) => {
    expect(wrong(more)).toEqual([`data.3.${message}`]);
  });

  test("is named wherever it is wrong", () => {
    const all = wrong({ sku: "X", alias: "TAKEN", distribution_center: "WEST" });

    expect(all).toEqual([
      "data.3.sku is not a known SKU (X)",
      "data.3.alias already exists in channel 2 (TAKEN)",
      "data.3.distribution_center is not a registered distribution center (WEST); registered are EAST, MAIN",
    ]);
  });
});

describe("an alias' text", () => {
  test("is free in another channel, and in other letters", () => {
    expect(wrong({ alias: "TAKEN", channel_id: 1 })).toEqual([]);
    expect(wrong({ alias: "taken" })).toEqual([]);
  });

  test("is its own if it has it already", () => {
    expect(wrong({ alias: "TAKEN" }, 3001)).toEqual([]);
    expect(wrong({ alias: "TAKEN" }, 3002)).toEqual(["data.3.alias already exists in channel 2 (TAKEN)"]);
  });

  test("repeats if an earlier record has it in the same channel, or for every channel as well", () => {
    const duplicates = duplicateNames([
      { alias: "A", channel_id: 1 },
      { alias: "A", channel_id: 2 },
      { alias: "a", channel_id: 1 },
      { alias: "A", channel_id: 1 },
      { alias: "A", channel_id: null },
      { alias: "A" },
    ]);

    expect([...duplicates]).toEqual([3, 5]);
  });
});

describe("new aliases", () => {
  test("keep the call's order", () => {
    const terms = resolveNewAliases([inputOf({ alias: "B" }), inputOf({ alias: "A" })], references);

    expect(terms.map(({ alias }) => alias)).toEqual(["B", "A"]);
  });

  test("are refused together with everything that is wrong in any of them", () => {
    const inputs = [inputOf(), inputOf({ sku: "X" }), inputOf({ alias: "TAKEN", channel_id: 9 })];

    const problem = problemOf(() => resolveNewAliases(inputs, references));

    expect(problem.kind).toBe("invalid");
    expect(linesOf(problem)).toEqual([
      "data.1.sku is not a known SKU (X)",
      "data.1.alias is in this call twice (EXT-TEE)",
      "data.2.channel_id is not a store of the account (9); it has 1 (Demo Web Store), 2 (Demo Marketplace)",
    ]);
  });
});

test("a name that is shown in part only is refused, unless it is that of the alias already", () => {
  const hidden = "must not hold control characters or invisible ones";

  expect(wrong({ alias: "OWN\u3164" })).toEqual([`data.3.alias ${hidden}`]);
  expect(wrong({ alias: "OTHER\u3164" }, 3001)).toEqual([`data.3.alias ${hidden}`]);
  expect(wrong({ alias: "OWN\u3164" }, 3001)).toEqual([]);
});
