import { expect, test } from "vitest";
import { resolveComponents } from "../../../shared/catalog/synsets/synset-references.ts";
import type { FieldError } from "../../../shared/common/problem.ts";

test("a component that an alias names again is refused as repeated", () => {
  const errors: FieldError[] = [];
  const references = { product: () => ({ product_id: 1, sku: "TEE", distribution_center_id: 1 }) };
  const items = ["TEE", "EXT-TEE"].map((sku) => ({ sku, quantity: 1 }));

  resolveComponents(items, references, "data.0", errors);

  expect(errors).toEqual([{ path: "data.0.items.1.sku", message: "is in this synset twice (TEE)" }]);
});
