/** The differences between the answers of operations and those that the examples of their records make. */
import { cancelled, changed, handled, made, processing, tracked } from "./orders.ts";

const queued = "The request is accepted and will be processed soon";

/** The order that is created, with the next id. */
const created = {
  order_id: 1003,
  order_number: "WEB-1",
  order_api: "ord_1003",
  nbtybarcode: "NB0000001003",
};

/** A delivery that waits for its first attempt. */
const waiting = {
  cause: "resend",
  status: "waiting",
  attempts: 0,
  first_attempt_at: null,
  last_attempt_at: null,
  next_attempt_at: made,
  response_code: null,
  response_body: null,
};

export const answers: Readonly<Record<string, object>> = {
  createOrders: { data: [created] },
  v2AddOrders: { data: [{ ...created, order_number: "WEB-2" }] },
  cancelOrder: { data: cancelled },
  cancelOrders: { data: [cancelled] },
  v2CancelOrder: { data: cancelled },
  setSubStatus: { data: { ...processing, ...handled, order_api: "ord_1001", sub_status: "on hold" } },
  createProducts: {
    data: [
      {
        product_id: 1003,
        sku: "SHIRT-BLUE",
        model: null,
        manufacturer: null,
        client_option1: null,
        image_url: "https://example.com/shirt-blue.png",
      },
    ],
  },
  patchProducts: { data: [{ retail: 18.95, ...changed }] },
  patchReplenishments: { data: [{ eta: "2026-03-07", ...changed }] },
  createSynsets: {
    data: [
      {
        synset_id: 1001,
        synset: "BREAKFAST-SET",
        items: [
          { sku: "DEMO-CAP", product_id: 1002, quantity: 1 },
          { sku: "DEMO-MUG", product_id: 1001, quantity: 2 },
        ],
        available: 10,
        limited_by: "DEMO-CAP",
      },
    ],
  },
  patchSynsets: {
    data: [
      {
        items: [{ quantity: 1 }, { sku: "DEMO-MUG", product_id: 1001, quantity: 3 }],
        available: 8,
        ...changed,
      },
    ],
  },
  createAliases: {
    data: [
      { alias_id: 1001, sku: "DEMO-CAP", product_id: 1002, alias: "EXT-CAP", distribution_center: null },
    ],
  },
  listUnitsOfMeasure: { data: [{ quantity: 1 }, { uom: "CASE", quantity: 12 }] },
  testWebhook: { data: { ...waiting, event_type: "webhook.test", sequence: 0, cause: "test" } },
  resendDelivery: { data: waiting },
  wmsUpdateWeight: {
    response: {
      message: `${queued} (weights: 1)`,
      jobs: [{ order_id: 1002, nbtybarcode: "NB0000001002" }],
    },
  },
  wmsRevertShipments: {
    response: { message: `${queued} (shipments: 1001)`, jobs: [{ order_id: 1001 }] },
  },
  mobileCheckShippings: { data: { ...tracked, status: "Shipped" } },
  mobileMoveGoods: { data: { to: { bin: "03", bin_id: 3 }, lots: [] } },
  mobileLogin: { data: { expires_in: 300 } },
};
