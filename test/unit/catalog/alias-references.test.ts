import { describe, expect, test } from "vitest";
import type { AliasInput } from "../../../shared/catalog/aliases/alias.ts";
import {
  type AliasReferences,
  duplicateNames,
  resolveAlias,
} from "../../../shared/catalog/aliases/alias-references.ts";
import type { FieldError } from "../../../shared/common/problem.ts";
import { registered } from "../samples.ts";

/** An account with the product TEE, the stores 1 and 2, and one center. */
const references: AliasReferences = {
  registered,
  product: (sku) => (sku === "TEE" ? { product_id: 2001, sku, distribution_center_id: 1 } : undefined),
  center: (code) => (code === "EAST" ? { distribution_center_id: 2, code, name: "East" } : undefined),
  holder: () => undefined,
};

const inputOf = (more: Partial<AliasInput> = {}): AliasInput => ({
  sku: "TEE",
  alias: "EXT-TEE",
  channel_id: 2,
  ...more,
});

function resolve(more: Partial<AliasInput>, own?: number) {
  const errors: FieldError[] = [];
  const place = {
    path: "data.3",
    repeats: false,
    ...(own === undefined ? {} : { before: { alias_id: own, alias: "OWN\u3164" } }),
  };
  return { terms: resolveAlias(inputOf(more), references, place, errors), errors };
}

const wrong = (more: Partial<AliasInput>, own?: number): readonly string[] =>
  resolve(more, own).errors.map(({ path, message }) => `${path} ${message}`);

describe("an alias' text", () => {
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

test("a name that is shown in part only is refused, unless it is that of the alias already", () => {
  const hidden = "must not hold control characters or invisible ones";

  expect(wrong({ alias: "OWN\u3164" })).toEqual([`data.3.alias ${hidden}`]);
  expect(wrong({ alias: "OTHER\u3164" }, 3001)).toEqual([`data.3.alias ${hidden}`]);
  expect(wrong({ alias: "OWN\u3164" }, 3001)).toEqual([]);
});
