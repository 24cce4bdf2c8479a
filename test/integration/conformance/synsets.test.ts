import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/inventory/synsets/create-synsets.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/synsets/patch-synsets.ts";
import { newProduct, newProducts } from "../../support/business/world.ts";
import { synsetOf, unique } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime } from "./resource.ts";

const other = unique("OTHER");
conforms({
  title: "synset",
  create,
  limits: {
    synset: "required string 1-100",
    items: "required array 1-100",
    "items[].sku": "required string 1-100",
    "items[].quantity": "required integer 1-1000000000",
  },
  prepare: async (account) => {
    const product = await newProduct(account);
    const { sku } = product;
    if (account.store_id === 2) await newProducts(account, [{ sku: other }]);
    const items = [{ sku, quantity: 2 }];
    const most = await newProducts(account, 100);
    const another = unique("KIT");
    if (account.store_id === 2)
      await account.oms.post("/inventory/synsets", { data: [synsetOf(items, { synset: another })] });
    return {
      path: "/inventory/synsets",
      product,
      record: (more) => synsetOf(items, more),
      references: [[{ items }, "items.0.sku", `is not a known SKU (${sku})`]],
      wrong: [
        [{ items: [{ sku: another, quantity: 1 }] }, "items.0.sku", `is not a known SKU (${another})`],
        [{ items: [...items, ...items] }, "items.1.sku", `is in this synset twice (${sku})`],
      ],
      accepted: [
        [{ items: most.map((component) => ({ sku: component.sku, quantity: 1 })) }],
        [{ items: [{ sku, quantity: 1_000_000_000 }] }],
        [{ synset: String(process.hrtime.bigint()) }],
      ],
    };
  },
  answered: ({ synset }, product) => ({
    synset_id: expect.any(Number),
    synset,
    items: [{ ...product, quantity: 2 }],
    available: 0,
    limited_by: product?.sku,
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
  }),
  id: "synset_id",
  read: {
    by: ["synset", "synset_id"],
    missing: (identifier) => `There is no synset with the name or id ${identifier}`,
    named: true,
  },
  unique: { field: "synset", taken: ({ synset }) => `already exists (${synset})` },
  wrongReferences: ["NO-SUCH", other.toLowerCase()].map((sku) => [
    {
      items: [
        { sku: other, quantity: 1 },
        { sku, quantity: 1 },
      ],
    },
    "items.1.sku",
    `is not a known SKU (${sku})`,
  ]),
  change: {
    request: patch.request,
    limits: {
      version: "optional integer 1-9007199254740991",
      synset: "required string 1-100",
    },
    keys: [["synset"]],
    unknown: [{ synset: "NO-SUCH" }],
    missing: ({ synset }) => `synset with the name ${synset}`,
    to: [
      [
        { items: [{ sku: other, quantity: 4 }] },
        { items: [{ sku: other, product_id: expect.any(Number), quantity: 4 }], limited_by: other },
      ],
    ],
  },
});
