/** Answers that differ from those with the same records, by operation. */
import * as z from "zod/mini";
import { replenishmentWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { orderWithActions } from "../../../../shared/orders/order-view.ts";
import { cancelled, done, made, order, processing, shipment } from "./orders.ts";
import { replenishment, tee } from "./records.ts";
import { product } from "./requests.ts";

const queued = "The request is accepted and will be processed soon";

/** The order that is created, with the next id. */
const created = {
  ...order,
  order_id: 1003,
  order_number: "WEB-1",
  order_api: "ord_1003",
  nbtybarcode: "NB0000001003",
};

/** A record after its creation, and after its first change. */
const fresh = { created_at: made, updated_at: made, version: 1 };
const changed = { created_at: made, updated_at: done, version: 2 };

const none = {
  model: null,
  manufacturer: null,
  client_option1: null,
  client_option2: null,
  client_option3: null,
};

/** A delivery that waits for its first attempt. */
const waiting = {
  webhook_id: 1,
  delivery_id: "dlv_0mabc3xyz000123456789abcdef",
  event_id: "evt_AbCdEfGhIjKlMnOpQrStUvWx",
  event_type: "order.created",
  sequence: 42,
  cause: "resend",
  request_id: "JKJaXmPLvHcESHA=",
  status: "waiting",
  attempts: 0,
  created_at: made,
  first_attempt_at: null,
  last_attempt_at: null,
  next_attempt_at: made,
  response_code: null,
  response_body: null,
  error: null,
};

const shown = (one: object) => z.parse(orderWithActions, one);

export const answers: Readonly<Record<string, unknown>> = {
  createOrders: { data: [shown(created)] },
  v2AddOrders: { data: [shown({ ...created, order_number: "WEB-2" })] },
  cancelOrder: { data: shown(cancelled) },
  cancelOrders: { data: [shown(cancelled)] },
  v2CancelOrder: { data: shown(cancelled) },
  setSubStatus: {
    data: shown({
      ...processing,
      order_id: 1001,
      order_number: "DEMO-2",
      order_api: "ord_1001",
      nbtybarcode: "NB0000001001",
      sub_status: "on hold",
    }),
  },
  createProducts: {
    data: [{ product_id: 1003, ...product, ...none, one_time_product: "No", ...fresh }],
  },
  patchProducts: { data: [{ ...tee, retail: 18.95, ...changed }] },
  createReplenishments: { data: [z.parse(replenishmentWithActions, replenishment)] },
  patchReplenishments: {
    data: [z.parse(replenishmentWithActions, { ...replenishment, eta: "2026-03-07", ...changed })],
  },
  createSynsets: {
    data: [
      {
        synset_id: 1001,
        synset: "BREAKFAST-SET",
        items: [
          { sku: "DEMO-CAP", product_id: 1002, quantity: 1 },
          { sku: "DEMO-MUG", product_id: 1001, quantity: 2 },
        ],
        ...fresh,
        available: 10,
        limited_by: "DEMO-CAP",
      },
    ],
  },
  patchSynsets: {
    data: [
      {
        synset_id: 1000,
        synset: "DEMO-KIT",
        items: [
          { sku: "DEMO-TEE", product_id: 1000, quantity: 1 },
          { sku: "DEMO-MUG", product_id: 1001, quantity: 3 },
        ],
        ...changed,
        available: 8,
        limited_by: "DEMO-MUG",
      },
    ],
  },
  createAliases: {
    data: [
      {
        alias_id: 1001,
        sku: "DEMO-CAP",
        product_id: 1002,
        alias: "EXT-CAP",
        channel_id: 2,
        distribution_center: null,
        ...fresh,
      },
    ],
  },
  listUnitsOfMeasure: {
    data: [
      { uom: "EACH", quantity: 1 },
      { uom: "CASE", quantity: 12 },
    ],
  },
  testWebhook: { data: { ...waiting, event_type: "webhook.test", sequence: 0, cause: "test" } },
  resendDelivery: { data: waiting },
  wmsUpdateWeight: {
    response: {
      success: true,
      message: `${queued} (weights: 1)`,
      jobs: [{ job_id: 1001, order_id: 1002, nbtybarcode: "NB0000001002" }],
    },
  },
  wmsRevertShipments: {
    response: {
      success: true,
      message: `${queued} (shipments: 1001)`,
      jobs: [{ job_id: 1001, order_id: 1001 }],
    },
  },
  mobileCheckShippings: {
    data: { ...shipment, status: "Shipped", tracking_number: "1Z999AA10123456784", carrier: "UPS" },
  },
  mobileMoveGoods: {
    data: {
      product_id: 1000,
      account_id: 100,
      sku: "DEMO-TEE",
      quantity: 2,
      from: { location: "A1", bin: "01", bin_id: 1 },
      to: { location: "A1", bin: "03", bin_id: 3 },
      lots: [],
    },
  },
  mobileLogin: { data: { login_id: "bG9naW4taWQ", expires_in: 300 } },
};
