import { describe, expect, test } from "vitest";
import {
  created,
  type Product,
  type ProductPatch,
  patched,
  pickStyles,
  unitsOfMeasure,
} from "../../../shared/catalog/products/product.ts";
import { createdAt, later, productInputOf, productOf } from "../samples.ts";

const identity = { account_id: 100, product_id: 2001, at: createdAt };

/** Every field that a client may send beyond the required ones, with a value other than the unset one. */
const optionalFields = {
  upc: "0123456789012",
  harmonization_code: "6109.10",
  supplier: "Acme Supply",
  distribution_center: "EAST",
  package_type: "BOX-S",
  pick_style: "FEFO",
  case_qty: 24,
  category: "shirts",
  model: "classic",
  manufacturer: "Acme",
  client_option1: "one",
  client_option2: "two",
  client_option3: "three",
  image_url: "https://example.com/tee.png",
} as const satisfies Partial<ProductPatch>;

const sent: Readonly<Record<string, string | number>> = {
  ...optionalFields,
  description: "Another shirt",
  width: 11,
  length: 13,
  height: 2,
  weight: 0.5,
  cost: 5,
  retail: 21,
};

/** One patch a field. */
const patches = Object.entries(sent).map(([field, value]) => ({ field, patch: { [field]: value } }));

const full: Product = productOf({ ...optionalFields, one_time_product: "Yes" });

const yes = ["Yes", "Y", "YES"] as const;
const no = ["No", "N", "NO"] as const;

describe("a created product", () => {
  test("has null if nothing was sent, and is not a one-time product", () => {
    expect(created(productInputOf(), identity)).toEqual(productOf({ version: 1 }));
  });

  test("has every field that was sent", () => {
    const product = created(productInputOf(optionalFields), identity);

    expect(product).toEqual(productOf({ ...optionalFields, version: 1 }));
  });

  test.each(pickStyles)("can have the pick style %s", (pick_style) => {
    expect(created(productInputOf({ pick_style }), identity).pick_style).toBe(pick_style);
  });

  test("keeps measures and prices of nothing", () => {
    const nothing = { width: 0, length: 0, height: 0, weight: 0, cost: 0, retail: 0 };

    expect(created(productInputOf(nothing), identity)).toMatchObject(nothing);
  });
});

describe("one_time_product", () => {
  test.each(yes)("%s reads Yes", (one_time_product) => {
    expect(created(productInputOf({ one_time_product }), identity).one_time_product).toBe("Yes");
  });

  test.each(no)("%s reads No", (one_time_product) => {
    expect(created(productInputOf({ one_time_product }), identity).one_time_product).toBe("No");
  });

  test("changes only if it is sent", () => {
    const before = productOf({ one_time_product: "Yes" });

    expect(patched(before, { sku: "TEE" }, later).one_time_product).toBe("Yes");
    expect(patched(before, { sku: "TEE", one_time_product: "N" }, later).one_time_product).toBe("No");
  });
});

describe("a patched product", () => {
  test.each<[string, ProductPatch]>([
    ["nothing is sent", { sku: full.sku }],
    ["what it has is sent", { sku: full.sku, upc: full.upc ?? "", cost: full.cost, one_time_product: "Y" }],
  ])("is the very product as it was where %s, so nothing is written", (_case, sent) => {
    expect(patched(full, sent, later)).toBe(full);
  });

  test.each(patches)("takes on $field, and only that", ({ patch }) => {
    const before = productOf();

    const after = patched(before, { sku: before.sku, ...patch }, later);

    expect(after).toEqual({ ...before, ...patch, updated_at: later, version: before.version + 1 });
  });

  test.each(patches)("has $field replaced if it has one", ({ field, patch }) => {
    const before = productOf({ ...optionalFields, upc: "old", category: "old", case_qty: 2 });

    const after = patched(before, { sku: before.sku, ...patch }, later);

    expect(after).toHaveProperty(field, patch[field]);
  });

  test("has no optional fields left after null clears all of them", () => {
    const nulls = Object.fromEntries(Object.keys(optionalFields).map((field) => [field, null]));

    const after = patched(full, { sku: full.sku, one_time_product: null, ...nulls }, later);

    expect(after).toEqual(productOf({ updated_at: later, version: full.version + 1 }));
  });

  test("takes on values that count as false: zero and the empty text", () => {
    const after = patched(full, { sku: full.sku, cost: 0, upc: "" }, later);

    expect(after).toMatchObject({ cost: 0, upc: "" });
  });

  test("never changes its sku, whatever is sent", () => {
    expect(patched(full, { sku: "OTHER" }, later).sku).toBe(full.sku);
  });

  test("leaves the product that it was given untouched", () => {
    const copy = structuredClone(full);

    patched(full, { sku: full.sku, description: "New" }, later);

    expect(full).toEqual(copy);
  });
});

describe("units of measure", () => {
  test("are EACH alone without a case quantity", () => {
    expect(unitsOfMeasure({ case_qty: null })).toEqual([{ uom: "EACH", quantity: 1 }]);
  });

  test.each([1, 24])("are EACH and a CASE of %i with one", (case_qty) => {
    expect(unitsOfMeasure({ case_qty })).toEqual([
      { uom: "EACH", quantity: 1 },
      { uom: "CASE", quantity: case_qty },
    ]);
  });
});
