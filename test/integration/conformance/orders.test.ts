import { expect } from "vitest";
import { endpoint as create } from "../../../functions/oms/orders/create-orders.ts";
import { newProduct } from "../../support/business/world.ts";
import { customer, orderOf, synsetOf } from "../../support/records/records.ts";
import { conforms } from "./conforms.ts";
import { isoTime, type WrongReference } from "./resource.ts";

const unknownSku = (sku: string): WrongReference => [
  { items: [{ sku, quantity: 1 }] },
  "items.0.sku",
  `is not a known SKU (${sku})`,
];
const unknownMethod = (shipping_method: string): WrongReference => [
  { shipping_method },
  "shipping_method",
  `is not a shipping method of the account (${shipping_method}); it has EXPRESS, GROUND`,
];
const unknownStore = (store_name: string): WrongReference => [
  { cart: { store_name } },
  "cart.store_name",
  `is not a store of the account (${store_name}); it has Demo Marketplace, Demo Web Store`,
];
const unknownStoreId = (id: number): WrongReference => [
  { cart: { id } },
  "cart.id",
  `is not a store of the account (${id}); it has 1 (Demo Web Store), 2 (Demo Marketplace)`,
];

const market = { id: 2, store_name: "Demo Marketplace" };

const unset = {
  order_reference: null,
  sub_status: null,
  tracking_number: null,
  carrier: null,
  cart: null,
  weight: null,
  weight_updated_at: null,
  shipped_at: null,
  cancelled_at: null,
};

conforms({
  title: "order",
  create,
  limits: {
    order_number: "required string 1-100",
    order_reference: "optional string 1-100",
    shipping_method: "required string 1-100",
    order_type_id: "optional integer 1-99",
    cart: "optional object",
    "cart.id": "optional integer -9007199254740991-9007199254740991",
    "cart.store_name": "optional string 0-255",
    if_short: "optional backorder refuse",
    customer: "required object",
    "customer.firstname": "required string 1-255",
    "customer.lastname": "optional string 0-255",
    "customer.email": "optional email 0-254",
    "customer.phone": "optional string 0-50",
    "customer.address1": "required string 1-255",
    "customer.city": "required string 1-255",
    "customer.state": "required string 0-100",
    "customer.zip": "required string 0-20",
    "customer.country": "required string 1-100",
    items: "required array 1-500",
    "items[].sku": "required string 1-100",
    "items[].ordered_as": "optional string 1-100",
    "items[].quantity": "required integer 1-1000000000",
    "items[].sold_price": "optional number -1000000000-1000000000",
    "items[].hold_id": "optional string 1-100",
    kits: "optional array 0-500",
    "kits[].synset": "required string 1-100",
    "kits[].quantity": "required integer 1-1000000000",
    "kits[].sold_price": "optional number -1000000000-1000000000",
  },
  prepare: async (account) => {
    const product = await newProduct(account);
    const { sku } = product;
    const kit = synsetOf([{ sku, quantity: 2 }]);
    await account.oms.post("/inventory/synsets", { data: [kit] });
    return {
      path: "/orders",
      product,
      record: (more) => orderOf([{ sku, quantity: 1 }], more),
      optional: {
        order_reference: "shop 77",
        order_type_id: 7,
        cart: account.store_id === 2 ? { store_name: "Demo Marketplace", id: 2 } : { id: 3 },
        customer: { ...customer, lastname: "Hopper", email: "grace@example.com", phone: "+1 555 0100" },
        items: [
          { sku, ordered_as: kit.synset, quantity: 2 },
          { sku, ordered_as: sku, quantity: 1, sold_price: -0.5 },
        ],
        kits: [{ synset: kit.synset, quantity: 1, sold_price: 9.5 }],
      },
      references: [
        unknownSku(sku),
        [
          { shipping_method: "EXPRESS" },
          "shipping_method",
          "is not a shipping method of the account (EXPRESS); it has GROUND",
        ],
        [{ cart: { id: 2 } }, "cart.id", "is not a store of the account (2); it has 3 (Second Shop)"],
        [
          { cart: { store_name: "Demo Marketplace" } },
          "cart.store_name",
          "is not a store of the account (Demo Marketplace); it has Second Shop",
        ],
      ],
      accepted: [
        [{ customer: { ...customer, zip: "00501" } }],
        [{ customer: { ...customer, zip: 62701 } }, { customer: { zip: "62701" } }],
        [{ customer: { ...customer, zip: 0 } }, { customer: { zip: "0" } }],
        [{ items: [{ sku, quantity: 1, sold_price: 0 }] }],
        [{ cart: {} }, { cart: null }],
        [{ shipping_method: "GROUND " }, { shipping_method: "GROUND" }],
        [{ cart: { store_name: "Demo Marketplace" } }, { cart: market }],
        [{ cart: { id: 2 } }, { cart: market }],
        [{ cart: { store_name: "?", id: 2 } }, { cart: market }],
        // A name that disagrees with the id wins.
        [{ cart: { store_name: "Demo Marketplace", id: 1 } }, { cart: market }],
        [{ cart: { store_name: "Demo Marketplace", id: 99 } }, { cart: market }],
        [{ if_short: "backorder" }, {}],
        [{ items: [{ sku: ` ${sku}`, quantity: 1 }] }, { items: [{ sku, ordered_as: sku }] }],
      ],
    };
  },
  answered: (sent, product) => ({
    ...unset,
    ...sent,
    order_id: expect.any(Number),
    order_api: expect.any(String),
    nbtybarcode: expect.stringMatching(/^NB\d{10}$/),
    status: "Pending",
    status_id: 1,
    order_type_id: 1,
    warehouse_id: 1,
    customer: { ...customer, lastname: null, email: null, phone: null },
    items: [{ ...product, ordered_as: product?.sku, quantity: 1, sold_price: null, returned: 0 }],
    kits: [],
    created_at: isoTime,
    updated_at: isoTime,
    version: 1,
    actions: [
      { action: "updateOrders", method: "PUT", path: "/apirest/v4/oms/orders", allowed: true },
      { action: "cancelOrder", method: "POST", path: "/apirest/v4/oms/orders/cancel", allowed: true },
      { action: "setSubStatus", method: "POST", path: "/apirest/v4/oms/orders/sub_status", allowed: true },
      {
        action: "createReturns",
        method: "POST",
        path: "/apirest/v4/oms/inventory/returns",
        allowed: false,
        reason: "is Pending; only a Shipped order can be returned",
      },
    ],
  }),
  id: "order_id",
  count: 100,
  oldestFirst: "order_direction=asc",
  unique: { field: "order_number", taken: ({ order_number }) => `already exists (${order_number})` },
  wrongReferences: [
    ...["PIGEON", "ground"].map(unknownMethod),
    ...["No Such Store", "demo web store"].map(unknownStore),
    ...[99, 3, 0, -1, Number.MAX_SAFE_INTEGER].map(unknownStoreId),
    ...["NO-SUCH", "demo-mug"].map(unknownSku),
  ],
  affected: ["/inventory/stock"],
});
