import { expect, test } from "vitest";
import { resolveNewProducts } from "../../../shared/catalog/products/product-references.ts";
import { accepted, linesOf, problemOf, productInputOf } from "../samples.ts";

test("new products need a center if the warehouse has no default", () => {
  const nothing = { center: () => undefined, ownerOf: () => undefined, accepted };
  const references = { ...nothing, hasSupplier: () => true, hasPackageType: () => true };

  const problem = problemOf(() => resolveNewProducts([productInputOf()], references));

  expect(linesOf(problem)).toEqual([
    "data.0.distribution_center is required, as the warehouse has no default",
  ]);
});
