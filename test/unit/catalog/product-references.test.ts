import { expect, test } from "vitest";
import { referenceErrors, resolveNewProducts } from "../../../shared/catalog/products/product-references.ts";
import { placed } from "../../../shared/common/placed.ts";
import { linesOf, problemOf, productInputOf, registered } from "../samples.ts";

test("new products need a center if the warehouse has no default", () => {
  const references = { center: () => undefined, ownerOf: () => undefined, registered };

  const problem = problemOf(() => resolveNewProducts(placed([productInputOf()]), references));

  expect(linesOf(problem)).toEqual([
    "data.0.distribution_center is required, as the warehouse has no default",
  ]);
});

test("a product can't be given the default center if the warehouse has none", () => {
  const errors = referenceErrors(
    { sku: "TEE", distribution_center: null },
    { center: () => undefined, registered },
    "data.0",
  );

  expect(errors).toMatchObject([{ path: "data.0.distribution_center" }]);
});
