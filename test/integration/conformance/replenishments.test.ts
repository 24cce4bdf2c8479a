import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/inventory/replenishments/create-replenishments.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/replenishments/patch-replenishments.ts";
import { newProduct, newProducts } from "../../support/business/world.ts";
import { unique } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime, type WrongReference } from "./resource.ts";

const unknownSku = (sku: string): WrongReference => [
  { items: [{ sku, quantity: 1 }] },
  "items.0.sku",
  `is not a known SKU (${sku})`,
];
const unknownCenter = (distribution_center: string): WrongReference => [
  { distribution_center },
  "distribution_center",
  `is not a registered distribution center (${distribution_center}); registered are EAST, IDLE, MAIN`,
];

const other = unique("OTHER");

conforms({
  title: "replenishment",
  create,
  limits: {
    reference: "optional string 1-100",
    items: "required array 1-500",
    "items[].sku": "required string 1-100",
    "items[].quantity": "required integer 1-1000000000",
    distribution_center: "optional string 0-255",
    eta: "optional date",
  },
  prepare: async (account) => {
    const product = await newProduct(account);
    const { sku } = product;
    if (account.store_id === 2) await newProducts(account, [{ sku: other }]);
    const items = [{ sku, quantity: 3 }];
    return {
      path: "/inventory/replenishments",
      product,
      record: (more = {}) => ({ items, ...more }),
      optional: { reference: "PO 2026/7", distribution_center: "EAST", eta: "2026-02-28" },
      references: [[{ items }, "items.0.sku", `is not a known SKU (${sku})`]],
      accepted: ["2024-02-29", "1999-01-01", "9999-12-31"].map((eta) => [{ eta }]),
    };
  },
  answered: (_sent, product) => ({
    replenishment_id: expect.any(Number),
    reference: null,
    status: "Pending",
    distribution_center: "MAIN",
    eta: null,
    items: [{ ...product, quantity: 3, put_away: 0, remaining: 3 }],
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
    actions: [
      {
        action: "patchReplenishments",
        method: "PATCH",
        path: "/apirest/v4/oms/inventory/replenishments",
        allowed: true,
      },
      { action: "proPutAwayMove", method: "POST", path: "/apiv2/pro-v1/put-away-move", allowed: true },
    ],
  }),
  id: "replenishment_id",
  read: {
    by: ["replenishment_id"],
    missing: (identifier) => `There is no replenishment with replenishment_id ${identifier}`,
  },
  wrongReferences: [
    ...["NO-SUCH", "demo-tee"].map(unknownSku),
    ...["WEST", "main", "MAIN "].map(unknownCenter),
  ],
  change: {
    request: patch.request,
    limits: {
      version: "optional integer 1-9007199254740991",
      replenishment_id: "required integer 1-9007199254740991",
    },
    keys: [["replenishment_id"]],
    unknown: [999_999_999, Number.MAX_SAFE_INTEGER].map((replenishment_id) => ({ replenishment_id })),
    missing: ({ replenishment_id }) => `replenishment with replenishment_id ${replenishment_id}`,
    to: [
      [{ eta: "2026-04-02" }],
      [{ reference: "PO 8" }],
      [{ distribution_center: "MAIN" }],
      [
        { items: [{ sku: other, quantity: 4 }] },
        { items: [{ sku: other, product_id: expect.any(Number), quantity: 4, put_away: 0, remaining: 4 }] },
      ],
    ],
  },
  counted: ["/inventory/stock"],
});
