/**
 * The differences between records, by component, and those that the examples of their fields make, which
 * would not always be consistent. Optional fields are listed here if the example has them.
 */
import { changed, done, handled, order } from "./orders.ts";

const correction = {
  status: "applied",
  reason: null,
  qty_in_bin: 43,
  description: "Yearly count",
};

/** In place of `correction`. */
export const failedCorrection = {
  status: "failed",
  reason:
    "quantity not valid: goods left the bin meanwhile; it holds 2, so a change by -3 would leave it below zero",
  qty_in_bin: undefined,
  qty: -3,
  new_quantity: 37,
};

const webhook = {
  description: null,
  types: ["order.*", "stock.changed"],
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
};

const orderInEvent = {
  ...order,
  ...changed,
  history: [{ at: done, order_reference: { from: null, to: "my-shop-77" }, changed: ["order_reference"] }],
};

const replenishment = { items: [{ quantity: 12, put_away: 0, remaining: 12 }] };

const mug = { sku: "DEMO-MUG", product_id: 1001, quantity: 1 };

const orderReturn = {
  order_id: 1002,
  order_number: "DEMO-3",
  items: [{ ...mug, put_away: 0, reason: "broken", remaining: 1 }],
};

export const records: Readonly<Record<string, object>> = {
  Order: order,
  OrderWithHistory: orderInEvent,
  OrderInEvent: orderInEvent,
  Correction: correction,
  Job: correction,
  QueuedCorrection: { description: "Yearly count" },
  Movement: { on_hand: 0, order_id: 1000 },
  StockInEvent: { order_id: 1000 },
  PutAway: { replenishment_id: 1000, items: [{ quantity: 12, remaining: 11 }] },
  Product: { weight: 0.4, client_option2: null, client_option3: null },
  Replenishment: replenishment,
  ReplenishmentInEvent: replenishment,
  Delivery: { next_attempt_at: null },
  Return: orderReturn,
  ReturnInEvent: orderReturn,
  ShippingMethod: { code: "GROUND" },
  PackageType: { code: "BOX-S" },
  Store: { name: "Demo Web Store" },
  Supplier: { name: "Acme Supply" },
  Synset: { items: [{ quantity: 1 }, { ...mug, quantity: 2 }], available: 12 },
  PickList: {
    ...handled,
    items: [
      {
        ...mug,
        ordered_as: "DEMO-MUG",
        picked: 0,
        bins: [{ location: "A2", bin_id: 4, quantity: 1, lot: null, expires_on: null }],
      },
    ],
  },
  PickLog: {
    ...handled,
    fully_picked: true,
    items: [{ ...mug, remaining: 0 }],
    picks: [{ ...mug, location: "A2", bin_id: 4, lots: [{ quantity: 1 }], serials: [] }],
  },
  Shipment: {
    ...handled,
    tracking_number: null,
    carrier: null,
    items: [{ ...mug, ordered_as: "DEMO-MUG", remaining: 0 }],
    picks: [{ sku: "DEMO-MUG", location: "A2", quantity: 1, by: "user:manager", at: done }],
  },
  Webhook: webhook,
  WebhookWithSecret: webhook,
};
