import { describe, expect, test } from "vitest";
import type { SynsetInput } from "../../../shared/catalog/synsets/synset.ts";
import {
  repeatedSynsets,
  resolveComponents,
  resolveNewSynsets,
} from "../../../shared/catalog/synsets/synset-references.ts";
import type { FieldError } from "../../../shared/common/problem.ts";
import { linesOf, problemOf } from "../samples.ts";

const products = new Map([
  ["TEE", { product_id: 1, sku: "TEE" }],
  ["EXT-TEE", { product_id: 1, sku: "TEE" }],
  ["MUG", { product_id: 2, sku: "MUG" }],
]);
const references = { product: (sku: string) => products.get(sku) };

const tee = { sku: "TEE", quantity: 2 };
const mug = { sku: "MUG", quantity: 1 };
const none = { sku: "NONE", quantity: 1 };
const kitOf = (synset: string, items: SynsetInput["items"] = [tee]): SynsetInput => ({ synset, items });

const resolve = (inputs: readonly SynsetInput[], taken: readonly string[] = []) =>
  resolveNewSynsets(inputs, {
    ...references,
    ownerOf: (name) => (taken.includes(name) ? "synset" : undefined),
  });

describe("components", () => {
  test("are the products with these SKUs, in their order", () => {
    const errors: FieldError[] = [];

    const items = resolveComponents([mug, tee], references, "data.0", errors);

    expect(errors).toEqual([]);
    expect(items).toEqual([
      { sku: "MUG", product_id: 2, quantity: 1 },
      { sku: "TEE", product_id: 1, quantity: 2 },
    ]);
  });

  test("are named by aliases, too, and keep their SKUs", () => {
    const errors: FieldError[] = [];

    const items = resolveComponents([{ sku: "EXT-TEE", quantity: 3 }], references, "data.0", errors);

    expect(items).toEqual([{ sku: "TEE", product_id: 1, quantity: 3 }]);
  });

  test("that an alias names again are refused as repeated", () => {
    const errors: FieldError[] = [];

    resolveComponents([tee, { sku: "EXT-TEE", quantity: 3 }], references, "data.0", errors);

    expect(errors).toEqual([{ path: "data.0.items.1.sku", message: "is in this synset twice (TEE)" }]);
  });

  test("that are unknown or repeated are refused at their own places", () => {
    const errors: FieldError[] = [];

    resolveComponents([tee, none, tee, { sku: "mug", quantity: 1 }], references, "data.3", errors);

    expect(errors).toEqual([
      { path: "data.3.items.2.sku", message: "is in this synset twice (TEE)" },
      { path: "data.3.items.1.sku", message: "is not a known SKU (NONE)" },
      { path: "data.3.items.3.sku", message: "is not a known SKU (mug)" },
    ]);
  });
});

describe("names of a call", () => {
  test("may differ by case alone", () => {
    expect(repeatedSynsets([{ synset: "KIT" }, { synset: "Kit" }])).toEqual([]);
  });

  test("may not repeat; each later one is named", () => {
    expect(repeatedSynsets([{ synset: "A" }, { synset: "A" }, { synset: "A" }])).toEqual([
      { path: "data.1.synset", message: "is in this call twice (A)" },
      { path: "data.2.synset", message: "is in this call twice (A)" },
    ]);
  });
});

describe("new synsets", () => {
  test("may share components", () => {
    expect(resolve([kitOf("A"), kitOf("B", [tee, mug])])).toEqual([
      { synset: "A", items: [{ sku: "TEE", product_id: 1, quantity: 2 }] },
      {
        synset: "B",
        items: [
          { sku: "TEE", product_id: 1, quantity: 2 },
          { sku: "MUG", product_id: 2, quantity: 1 },
        ],
      },
    ]);
  });

  test("may not have a name that the account has given", () => {
    const problem = problemOf(() => resolve([kitOf("A"), kitOf("B")], ["B"]));

    expect(problem.kind).toBe("invalid");
    expect(linesOf(problem)).toEqual(["data.1.synset already exists (B)"]);
  });

  test("are refused together with everything that is wrong in any of them", () => {
    const problem = problemOf(() =>
      resolve([kitOf("A", [none]), kitOf("B", [tee, tee]), kitOf("A"), kitOf("C")], ["C"]),
    );

    expect([...linesOf(problem)].sort()).toEqual([
      "data.0.items.0.sku is not a known SKU (NONE)",
      "data.1.items.1.sku is in this synset twice (TEE)",
      "data.2.synset is in this call twice (A)",
      "data.3.synset already exists (C)",
    ]);
  });
});
