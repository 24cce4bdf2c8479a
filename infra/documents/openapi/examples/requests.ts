/**
 * Examples of bodies, by operation, if the examples of their fields would not be consistent. They work with
 * the demo's data if the calls are made in the order of the document.
 */
import { customer } from "./orders.ts";

const order = {
  order_number: "WEB-1",
  order_reference: "my-shop-77",
  shipping_method: "GROUND",
  cart: { store_name: "Demo Web Store" },
  customer,
  items: [{ sku: "DEMO-TEE", quantity: 2, sold_price: 19.95 }],
};

const product = {
  sku: "SHIRT-BLUE",
  description: "T-shirt, blue",
  width: 8,
  length: 10,
  height: 1,
  weight: 0.4,
  cost: 4.5,
  retail: 19.99,
  upc: "012345678905",
  harmonization_code: "6109.10",
  supplier: "Acme Supply",
  distribution_center: "MAIN",
  package_type: "BOX-S",
  pick_style: "FIFO",
  case_qty: 12,
  category: "Apparel",
  image_url: "https://example.com/shirt-blue.png",
};

const replenishment = {
  reference: "PO-2026-1",
  items: [{ sku: "DEMO-TEE", quantity: 12 }],
  distribution_center: "MAIN",
  eta: "2026-02-28",
};

export const requests: Readonly<Record<string, unknown>> = {
  createOrders: { data: [order] },
  updateOrders: { data: [{ ...order, order_id: 1000, order_number: "DEMO-1" }] },
  v2AddOrders: { data: [{ ...order, order_number: "WEB-2" }] },
  setSubStatus: { order_id: 1001, sub_status: "on hold" },
  simulateOrder: { order_id: 1003, to: "shipped", tracking_number: "1Z999AA10123456784" },
  createProducts: { data: [product] },
  createReturns: {
    data: [{ order_id: 1002, items: [{ sku: "DEMO-MUG", quantity: 1, reason: "broken" }] }],
  },
  createReplenishments: { data: [replenishment] },
  patchReplenishments: { data: [{ replenishment_id: 1000, eta: "2026-03-07" }] },
  patchProducts: { data: [{ sku: "DEMO-TEE", retail: 18.95 }] },
  createSynsets: {
    data: [
      {
        synset: "BREAKFAST-SET",
        items: [
          { sku: "DEMO-CAP", quantity: 1 },
          { sku: "DEMO-MUG", quantity: 2 },
        ],
      },
    ],
  },
  patchSynsets: {
    data: [
      {
        synset: "DEMO-KIT",
        items: [
          { sku: "DEMO-TEE", quantity: 1 },
          { sku: "DEMO-MUG", quantity: 3 },
        ],
      },
    ],
  },
  createHolds: { data: [{ sku: "DEMO-TEE", quantity: 2, expires_in: 900 }] },
  createAliases: { data: [{ sku: "DEMO-CAP", alias: "EXT-CAP", channel_id: 2 }] },
  createWebhook: { data: { url: "https://example.com/webhooks", types: ["order.*", "stock.changed"] } },
  patchWebhook: { data: { types: ["order.*"], active: true } },
  wmsRecount: [
    {
      account_id: 100,
      comment: "Yearly count",
      skus: [{ sku: "DEMO-TEE", bins: [{ location: "A1", bin: "01", qty_in_bin: 43 }] }],
    },
  ],
  v2GetOrders: { order_number: "DEMO-1" },
  v2GetProducts: { per_page: 20 },
  v2GetStock: { sku: "DEMO-TEE" },
  wmsUpdateWeight: { data: [{ nbtybarcode: "NB0000001002", weight: 2.4 }] },
  mobileVerifyCode: { login_id: "bG9naW4taWQ", code: "123456" },
  mobileCheckShippings: {
    order_id: 1001,
    approve: true,
    tracking_number: "1Z999AA10123456784",
    carrier: "UPS",
  },
  mobileUpdatePickLog: {
    order_id: 1001,
    picks: [{ sku: "DEMO-MUG", location: "A2", bin: "01", quantity: 1 }],
  },
  mobileMoveGoods: {
    account_id: 100,
    sku: "DEMO-TEE",
    quantity: 2,
    from: { location: "A1", bin: "01" },
    to: { location: "A1", bin: "03" },
  },
  proPutAwayLoad: { replenishment_id: 1000 },
  proPutAwayMove: {
    replenishment_id: 1000,
    sku: "DEMO-TEE",
    quantity: 1,
    location: "A1",
    bin: "03",
    lot: "L-42",
    expires_on: "2027-01-31",
  },
};
