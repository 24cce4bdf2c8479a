import { expect, test } from "vitest";
import { resolveNewProducts } from "../../../shared/catalog/products/product-references.ts";
import { linesOf, problemOf, productInputOf, registered } from "../samples.ts";

test("new products need a center if the warehouse has no default", () => {
  const references = { center: () => undefined, ownerOf: () => undefined, registered };

  const problem = problemOf(() => resolveNewProducts([productInputOf()], references));

  expect(linesOf(problem)).toEqual([
    "data.0.distribution_center is required, as the warehouse has no default",
  ]);
});
