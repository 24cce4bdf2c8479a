/** Examples of records, by component, if the examples of their fields would not go together. */
import * as z from "zod/mini";
import { replenishmentWithActions, returnWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { orderWithActions, orderWithHistoryAndActions } from "../../../../shared/orders/order-view.ts";
import { done, handled, line, made, order, shipment } from "./orders.ts";
import { shirt } from "./requests.ts";

const counted = {
  correction_id: 1001,
  account_id: 100,
  sku: "DEMO-TEE",
  product_id: 1000,
  location: "A1",
  bin: "01",
  description: "Yearly count",
  requested_by: "user:manager",
  request_id: "JKJaXmPLvHcESHA=",
  queued_at: made,
  finished_at: done,
  attempts: 1,
};

const correction = { ...counted, status: "applied", reason: null, qty_in_bin: 43, new_quantity: 43 };

export const failedCorrection = {
  ...counted,
  status: "failed",
  reason:
    "quantity not valid: goods left the bin meanwhile; it holds 2, so a change by -3 would leave it below zero",
  qty: -3,
  new_quantity: 37,
};

const webhook = {
  webhook_id: 1,
  url: "https://example.com/webhooks",
  description: null,
  types: ["order.*", "stock.changed"],
  active: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_success_at: made,
  handed_over: 42,
  created_at: made,
  updated_at: made,
  version: 1,
};

/** A product of the demo. */
export const tee = {
  product_id: 1000,
  sku: "DEMO-TEE",
  ...shirt,
  one_time_product: "No",
  case_qty: 12,
  category: "Apparel",
  model: "T-100",
  manufacturer: "Acme",
  client_option1: "summer",
  client_option2: null,
  client_option3: null,
  image_url: "https://example.com/tee.png",
  created_at: made,
  updated_at: made,
  version: 1,
};

export const replenishment = {
  replenishment_id: 1000,
  reference: "PO-2026-1",
  status: "Pending",
  distribution_center: "MAIN",
  eta: "2026-02-28",
  items: [{ sku: "DEMO-TEE", product_id: 1000, quantity: 12, put_away: 0, remaining: 12 }],
  created_at: made,
  updated_at: made,
  version: 1,
};

const orderInEvent = {
  ...order,
  updated_at: done,
  version: 2,
  history: [
    {
      at: done,
      by: "account:100",
      order_reference: { from: null, to: "my-shop-77" },
      changed: ["order_reference"],
    },
  ],
};

const orderReturn = {
  return_id: 1000,
  order_id: 1002,
  order_number: "DEMO-3",
  status: "Pending",
  items: [{ sku: "DEMO-MUG", product_id: 1001, quantity: 1, put_away: 0, reason: "broken", remaining: 1 }],
  created_at: made,
  updated_at: made,
  version: 1,
};

const level = { sku: "DEMO-TEE", product_id: 1000, distribution_center: "MAIN" };

export const records: Readonly<Record<string, unknown>> = {
  Order: z.parse(orderWithActions, order),
  OrderWithHistory: z.parse(orderWithHistoryAndActions, orderInEvent),
  OrderInEvent: orderInEvent,
  Correction: correction,
  Job: { kind: "recount", job_id: 1001, ...correction },
  QueuedCorrection: {
    account_id: 100,
    sku: "DEMO-TEE",
    bin: "01",
    location: "A1",
    correction_id: 1001,
    error: false,
    new_quantity: 43,
    description: "Yearly count",
  },
  Movement: {
    at: made,
    reason: "order_created",
    on_hand: 0,
    reserved: 2,
    distribution_center: "MAIN",
    order_id: 1000,
    by: "account:100",
    request_id: "JKJaXmPLvHcESHA=",
  },
  StockInEvent: {
    ...level,
    on_hand: 60,
    reserved: 2,
    available: 58,
    incoming: 12,
    reason: "order_created",
    order_id: 1000,
  },
  PutAway: {
    replenishment_id: 1000,
    status: "Pending",
    items: [{ sku: "DEMO-TEE", product_id: 1000, quantity: 12, put_away: 1, remaining: 11 }],
  },
  Product: tee,
  Replenishment: z.parse(replenishmentWithActions, replenishment),
  ReplenishmentInEvent: replenishment,
  Delivery: {
    webhook_id: 1,
    delivery_id: "dlv_0mabc3xyz000123456789abcdef",
    event_id: "evt_AbCdEfGhIjKlMnOpQrStUvWx",
    event_type: "order.created",
    sequence: 42,
    cause: "event",
    request_id: "JKJaXmPLvHcESHA=",
    status: "delivered",
    attempts: 1,
    created_at: made,
    first_attempt_at: made,
    last_attempt_at: made,
    next_attempt_at: null,
    response_code: 200,
    response_body: "ok",
    error: null,
  },
  Return: z.parse(returnWithActions, orderReturn),
  ReturnInEvent: orderReturn,
  ShippingMethod: { code: "GROUND" },
  PackageType: { code: "BOX-S" },
  Store: { store_id: 1, name: "Demo Web Store" },
  Supplier: { name: "Acme Supply" },
  Synset: {
    synset_id: 1000,
    synset: "DEMO-KIT",
    items: [
      { sku: "DEMO-TEE", product_id: 1000, quantity: 1 },
      { sku: "DEMO-MUG", product_id: 1001, quantity: 2 },
    ],
    created_at: made,
    updated_at: made,
    version: 1,
    available: 12,
    limited_by: "DEMO-MUG",
  },
  PickList: {
    ...handled,
    items: [
      {
        ...line,
        picked: 0,
        remaining: 1,
        bins: [{ location: "A2", bin: "01", bin_id: 4, quantity: 1, lot: null, expires_on: null }],
      },
    ],
  },
  PickLog: {
    order_id: 1001,
    order_number: "DEMO-2",
    account_id: 100,
    status: "Processing",
    fully_picked: true,
    items: [{ sku: "DEMO-MUG", product_id: 1001, quantity: 1, picked: 1, remaining: 0 }],
    picks: [
      {
        product_id: 1001,
        sku: "DEMO-MUG",
        location: "A2",
        bin: "01",
        bin_id: 4,
        quantity: 1,
        lots: [{ received_on: "2026-01-31", lot: "L-42", expires_on: "2027-01-31", quantity: 1 }],
        serials: [],
      },
    ],
  },
  Shipment: shipment,
  Webhook: webhook,
  WebhookWithSecret: { ...webhook, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
};
