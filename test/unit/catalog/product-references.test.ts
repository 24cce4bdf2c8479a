import { describe, expect, test } from "vitest";
import type { ProductInput } from "../../../shared/catalog/products/product.ts";
import {
  type Center,
  type ProductReferences,
  referenceErrors,
  repeatedSkus,
  resolveNewProducts,
} from "../../../shared/catalog/products/product-references.ts";
import { accepted, linesOf, problemOf, productInputOf } from "../samples.ts";

const main: Center = { distribution_center_id: 1, code: "MAIN" };
const east: Center = { distribution_center_id: 2, code: "EAST" };

const references: ProductReferences = {
  hasSupplier: (name) => name === "Acme Supply",
  hasPackageType: (code) => code === "BOX-S",
  accepted,
  center: (code = "MAIN") => [main, east].find((center) => center.code === code),
};

const wrong = (more: Partial<ProductInput>) =>
  referenceErrors({ sku: "TEE", ...more }, references, "data.3").map(
    ({ path, message }) => `${path} ${message}`,
  );

const resolve = (
  inputs: readonly ProductInput[],
  taken: readonly string[] = [],
  known: ProductReferences = references,
) =>
  resolveNewProducts(inputs, { ...known, ownerOf: (name) => (taken.includes(name) ? "product" : undefined) });

describe("references of a product", () => {
  test("may be left out", () => {
    expect(wrong({})).toEqual([]);
  });

  test("are accepted if they are registered", () => {
    expect(wrong({ supplier: "Acme Supply", package_type: "BOX-S", distribution_center: "EAST" })).toEqual(
      [],
    );
  });

  test.each([
    ["supplier", "acme supply", "is not a registered supplier (acme supply); registered are Acme Supply"],
    ["package_type", "box-s", "is not a registered package type (box-s); registered are BOX-M, BOX-S"],
    [
      "distribution_center",
      "east",
      "is not a registered distribution center (east); registered are EAST, MAIN",
    ],
  ])("match %s case-sensitively", (field, value, message) => {
    expect(wrong({ [field]: value })).toEqual([`data.3.${field} ${message}`]);
  });

  test("are all named if they are all wrong", () => {
    expect(wrong({ supplier: "A", package_type: "B", distribution_center: "C" })).toEqual([
      "data.3.supplier is not a registered supplier (A); registered are Acme Supply",
      "data.3.package_type is not a registered package type (B); registered are BOX-M, BOX-S",
      "data.3.distribution_center is not a registered distribution center (C); registered are EAST, MAIN",
    ]);
  });

  test("are rejected if they are empty, which names nothing", () => {
    expect(wrong({ supplier: "" })).toEqual([
      "data.3.supplier is not a registered supplier (); registered are Acme Supply",
    ]);
  });
});

describe("SKUs of a call", () => {
  test("may differ by case alone", () => {
    expect(repeatedSkus([{ sku: "TEE" }, { sku: "tee" }])).toEqual([]);
  });

  test("may not repeat; each later one is named", () => {
    const repeated = repeatedSkus([{ sku: "A" }, { sku: "B" }, { sku: "A" }, { sku: "A" }]);

    expect(repeated).toEqual([
      { path: "data.2.sku", message: "is in this call twice (A)" },
      { path: "data.3.sku", message: "is in this call twice (A)" },
    ]);
  });
});

describe("new products", () => {
  test("are kept in the center that they name, else in the default one", () => {
    const [tee, mug] = [productInputOf(), productInputOf({ sku: "MUG", distribution_center: "EAST" })];

    expect(resolve([tee, mug])).toEqual([
      { input: tee, center: main },
      { input: mug, center: east },
    ]);
  });

  test("may not have a SKU that the account has", () => {
    const problem = problemOf(() => resolve([productInputOf({ sku: "NEW" }), productInputOf()], ["TEE"]));

    expect(problem.kind).toBe("invalid");
    expect(linesOf(problem)).toEqual(["data.1.sku already exists (TEE)"]);
  });

  test("need a center if the warehouse has no default", () => {
    const problem = problemOf(() =>
      resolve([productInputOf()], [], { ...references, center: () => undefined }),
    );

    expect(linesOf(problem)).toEqual([
      "data.0.distribution_center is required, as the warehouse has no default",
    ]);
  });

  test("are refused together with everything that is wrong in any of them", () => {
    const inputs = [
      productInputOf({ supplier: "Nobody" }),
      productInputOf({ distribution_center: "WEST" }),
      productInputOf({ sku: "MUG", package_type: "BAG" }),
    ];

    const problem = problemOf(() => resolve(inputs, ["MUG"]));

    expect([...linesOf(problem)].sort()).toEqual([
      "data.0.supplier is not a registered supplier (Nobody); registered are Acme Supply",
      "data.1.distribution_center is not a registered distribution center (WEST); registered are EAST, MAIN",
      "data.1.sku is in this call twice (TEE)",
      "data.2.package_type is not a registered package type (BAG); registered are BOX-M, BOX-S",
      "data.2.sku already exists (MUG)",
    ]);
  });
});
