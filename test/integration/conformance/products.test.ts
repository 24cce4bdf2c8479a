import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/products/patch-products.ts";
import { productOf } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime } from "./resource.ts";

const unset = {
  upc: null,
  harmonization_code: null,
  supplier: null,
  distribution_center: null,
  package_type: null,
  pick_style: null,
  one_time_product: "No",
  case_qty: null,
  category: null,
  model: null,
  manufacturer: null,
  client_option1: null,
  client_option2: null,
  client_option3: null,
  image_url: null,
};

const pickStyles = ["STANDARD", "SAVE_SPACE", "FIFO", "LIFO", "FEFO", "FLFO", "LLFO", "BIN_ASC", "BIN_DESC"];

const wrongCenter = "is not a registered distribution center";
const wrongSupplier = "is not a registered supplier";
const wrongPackage = "is not a registered package type";

conforms({
  title: "product",
  create,
  limits: {
    sku: "required string 1-100",
    description: "required string 1-2000",
    width: "required number 0-1000000000",
    length: "required number 0-1000000000",
    height: "required number 0-1000000000",
    weight: "required number 0-1000000000",
    cost: "required number 0-1000000000",
    retail: "required number 0-1000000000",
    upc: "optional string 0-100",
    harmonization_code: "optional string 0-100",
    supplier: "optional string 0-255",
    distribution_center: "optional string 0-255",
    package_type: "optional string 0-255",
    pick_style: `optional ${pickStyles.join(" ")}`,
    one_time_product: "optional Yes Y YES No N NO",
    case_qty: "optional number 1-1000000000",
    category: "optional string 0-255",
    model: "optional string 0-255",
    manufacturer: "optional string 0-255",
    client_option1: "optional string 0-255",
    client_option2: "optional string 0-255",
    client_option3: "optional string 0-255",
    image_url: "optional uri 0-2000",
  },
  prepare: async ({ store_id }) => ({
    path: "/inventory/products",
    record: productOf,
    optional: {
      width: 0.1,
      cost: 0,
      retail: 1e-7,
      weight: 999_999_999.99,
      upc: "012345678905",
      harmonization_code: "6109.10",
      supplier: "Acme Supply",
      distribution_center: "EAST",
      package_type: "BOX-S",
      pick_style: "FEFO",
      one_time_product: "Yes",
      case_qty: 12,
      category: "Shirts",
      model: "M1",
      manufacturer: "Maker",
      client_option1: "one",
      client_option2: "two",
      client_option3: "three",
      image_url: "https://images.example/tee.png",
    },
    accepted: [
      [{ width: 0, length: 0, height: 0, weight: 0, cost: 0, retail: 0 }],
      // The interface says number.
      [{ case_qty: 1.5 }],
      ...["Yes", "Y", "YES"].map(
        (sent) => [{ one_time_product: sent }, { one_time_product: "Yes" }] as const,
      ),
      ...["No", "N", "NO"].map((sent) => [{ one_time_product: sent }, { one_time_product: "No" }] as const),
      ...pickStyles.map((pick_style) => [{ pick_style }] as const),
    ],
    references:
      store_id === 3
        ? []
        : [
            [{ supplier: "Acme Supply" }, "supplier", `${wrongSupplier} (Acme Supply); registered are none`],
            [{ package_type: "BOX-S" }, "package_type", `${wrongPackage} (BOX-S); registered are none`],
          ],
  }),
  answered: (sent) => ({
    ...unset,
    ...sent,
    product_id: expect.any(Number),
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
  }),
  id: "product_id",
  oldestFirst: "order_direction=asc&order_by=ProductID",
  count: 100,
  read: {
    by: ["product_id", "sku"],
    missing: (identifier) => `There is no product with the id or SKU ${identifier}`,
    named: true,
  },
  unique: { field: "sku", taken: ({ sku }) => `already exists (${sku})` },
  wrongReferences: [
    [{ supplier: "Nobody" }, "supplier", `${wrongSupplier} (Nobody); registered are Acme Supply`],
    [{ supplier: "acme supply" }, "supplier", `${wrongSupplier} (acme supply); registered are Acme Supply`],
    [{ supplier: "Acme Supply " }, "supplier", `${wrongSupplier} (Acme Supply ); registered are Acme Supply`],
    [{ package_type: "BOX-XL" }, "package_type", `${wrongPackage} (BOX-XL); registered are BOX-M, BOX-S`],
    [{ package_type: "box-s" }, "package_type", `${wrongPackage} (box-s); registered are BOX-M, BOX-S`],
    [
      { distribution_center: "WEST" },
      "distribution_center",
      `${wrongCenter} (WEST); registered are EAST, IDLE, MAIN`,
    ],
    [
      { distribution_center: "main" },
      "distribution_center",
      `${wrongCenter} (main); registered are EAST, IDLE, MAIN`,
    ],
  ],
  change: {
    request: patch.request,
    limits: {
      version: "optional integer 1-9007199254740991",
      sku: "required string 1-100",
    },
    keys: [["sku"]],
    unknown: [{ sku: "NO-SUCH" }],
    missing: ({ sku }) => `product with the SKU ${sku}`,
    to: [
      [{ description: "Another thing" }],
      [{ width: 11 }],
      [{ length: 12 }],
      [{ height: 13 }],
      [{ weight: 14.5 }],
      [{ cost: 15.25 }],
      [{ retail: 0 }],
      [{ upc: "999" }],
      [{ harmonization_code: "1234" }],
      [{ supplier: "Acme Supply" }],
      [{ distribution_center: "MAIN" }],
      [{ package_type: "BOX-M" }],
      [{ pick_style: "LIFO" }],
      [{ one_time_product: "N" }, { one_time_product: "No" }],
      [{ case_qty: 48 }],
      [{ category: "Mugs" }],
      [{ model: "M2" }],
      [{ manufacturer: "Mugs & Co" }],
      [{ client_option1: "1" }],
      [{ client_option2: "2" }],
      [{ client_option3: "3" }],
      [{ image_url: "http://images.example/mug.png" }],
    ],
  },
  counted: ["/inventory/stock"],
});
