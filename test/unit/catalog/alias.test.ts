import { describe, expect, test } from "vitest";
import {
  type Alias,
  type AliasPatch,
  type AliasTerms,
  created,
  identified,
  patched,
  requested,
} from "../../../shared/catalog/aliases/alias.ts";
import { aliasOf, createdAt, later, linesOf, problemOf } from "../samples.ts";

const terms: AliasTerms = {
  sku: "MUG",
  product_id: 2002,
  alias: "EXT-MUG",
  channel_id: 1,
  distribution_center: null,
  distribution_center_id: null,
};

describe("a new alias", () => {
  test("has the terms that were agreed, its creation time and the first version", () => {
    const made = created(terms, { account_id: 100, alias_id: 7, at: createdAt });

    const own = { account_id: 100, alias_id: 7, created_at: createdAt, updated_at: createdAt, version: 1 };
    expect(made).toEqual({ ...terms, ...own });
  });
});

describe("what a patched alias is asked to be", () => {
  const before = aliasOf();
  const same = { sku: "TEE", alias: "EXT-TEE", channel_id: 2, distribution_center: "EAST" };

  test("stays as it is if nothing is sent", () => {
    expect(requested(before, {})).toEqual(same);
  });

  test("names no distribution center if it has none", () => {
    const none = aliasOf({ distribution_center: null, distribution_center_id: null });

    expect(requested(none, {}).distribution_center).toBeNull();
  });

  test("names none if null clears it", () => {
    expect(requested(before, { distribution_center: null })).toEqual({ ...same, distribution_center: null });
  });

  test.each<AliasPatch>([
    { sku: "MUG" },
    { alias: "OTHER" },
    { channel_id: 1 },
    { channel_id: null },
    { distribution_center: "MAIN" },
    { distribution_center: "" },
  ])("takes on %j, and only that", (sent) => {
    expect(requested(before, { alias_id: before.alias_id, ...sent })).toEqual({ ...same, ...sent });
  });
});

describe("a patched alias", () => {
  test("keeps its id, account and creation time, and rises in version", () => {
    const before = aliasOf();

    const after = patched(before, terms, later);

    const kept = { account_id: 100, alias_id: 3001, created_at: createdAt };
    expect(after).toEqual({ ...terms, ...kept, updated_at: later, version: before.version + 1 });
    expect(before).toEqual(aliasOf());
  });
});

describe("what a record of a PATCH call is about", () => {
  test.each<[string, AliasPatch, Partial<Alias>]>([
    ["its id", { alias_id: 7 }, { alias_id: 7 }],
    ["its text with its channel", { alias: "A", channel_id: 2 }, { alias: "A", channel_id: 2 }],
    ["its text for every channel", { alias: "A" }, { alias: "A", channel_id: null }],
    ["its text for every channel, said", { alias: "A", channel_id: null }, { alias: "A", channel_id: null }],
    [
      "its id where both are sent, which then are changes",
      { alias_id: 7, alias: "A", channel_id: 2 },
      { alias_id: 7 },
    ],
  ])("is %s", (_rule, sent, key) => {
    expect(identified([sent])).toEqual([{ key, sent }]);
  });

  test.each<AliasPatch>([{}, { sku: "TEE" }, { channel_id: 2 }])("must be said: %j is refused", (sent) => {
    const problem = problemOf(() => identified([{ alias_id: 1 }, sent, sent]));

    expect(problem.kind).toBe("invalid");
    expect(linesOf(problem)).toEqual([
      "data.1.alias_id is required, unless alias is sent, with channel_id if the alias is for one channel",
      "data.2.alias_id is required, unless alias is sent, with channel_id if the alias is for one channel",
    ]);
  });
});
