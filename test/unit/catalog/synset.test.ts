import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  created,
  maxComponents,
  patched,
  synsetInput,
  synsetPatch,
} from "../../../shared/catalog/synsets/synset.ts";
import { createdAt, later } from "../samples.ts";

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, position) => ({ sku: `P-${position}`, quantity: 1 }));

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

describe("a synset's items", () => {
  test.each([
    [1, true],
    [maxComponents, true],
    [0, false],
    [maxComponents + 1, false],
  ])("may be %i: %s", (count, fine) => {
    expect(accepts(synsetInput, { synset: "KIT", items: itemsOf(count) })).toBe(fine);
    expect(accepts(synsetPatch, { synset: "KIT", items: itemsOf(count) })).toBe(fine);
  });

  test("may be left out of a change alone", () => {
    expect(accepts(synsetInput, { synset: "KIT" })).toBe(false);
    expect(accepts(synsetPatch, { synset: "KIT" })).toBe(true);
  });
});

describe("the name", () => {
  test("is required, also to change a synset", () => {
    expect(accepts(synsetInput, { items: itemsOf(1) })).toBe(false);
    expect(accepts(synsetPatch, { items: itemsOf(1) })).toBe(false);
  });
});

describe("a changed synset", () => {
  const tee = { sku: "TEE", product_id: 1, quantity: 2 };
  const mug = { sku: "MUG", product_id: 2, quantity: 1 };
  const before = created(
    { synset: "KIT", items: [tee] },
    { account_id: 100, synset_id: 4001, at: createdAt },
  );

  test("has the items that were sent in place of all it had", () => {
    expect(patched(before, [mug], later)).toEqual({
      ...before,
      items: [mug],
      updated_at: later,
      version: 2,
    });
  });

  test.each([
    ["none were sent", undefined],
    ["the same were sent", before.items],
  ])("is the same synset as before if %s, so nothing is written", (_case, items) => {
    expect(patched(before, items && structuredClone(items), later)).toBe(before);
  });
});
