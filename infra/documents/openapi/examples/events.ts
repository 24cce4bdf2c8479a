/** Examples of events by type, if they differ from the other events of their kind. */
import { previousValues } from "../../../../shared/events/kind.ts";
import { cancelled, done, made, order, processing, shipped } from "./orders.ts";
import { failedCorrection } from "./records.ts";

/** An order to which something happened, with the earlier values of its fields. */
function happened(before: object, after: object, by: string, change: object) {
  const data = { ...after, history: [{ at: done, by, ...change, changed: Object.keys(change) }] };
  return { by, data, previous: previousValues(before, data) };
}

const manager = "user:manager";

const tracked = {
  tracking_number: { from: null, to: shipped.tracking_number },
  carrier: { from: null, to: shipped.carrier },
};

const pick = { sku: "DEMO-TEE", bin_id: 1, location: "A1", bin: "01", quantity: 2, by: manager };

export const events: Readonly<Record<string, object>> = {
  "order.created": {
    data: {
      ...order,
      history: [{ at: made, by: "account:100", status: { from: null, to: "Pending" }, changed: ["status"] }],
    },
  },
  "order.updated": happened(
    { ...order, order_reference: null, updated_at: made },
    { ...order, updated_at: done, version: 2 },
    "account:100",
    {
      order_reference: { from: null, to: order.order_reference },
    },
  ),
  "order.status_changed": happened(order, processing, manager, {
    status: { from: "Pending", to: "Processing" },
    picker: { from: null, to: "manager" },
  }),
  "order.sub_status_changed": happened(
    order,
    { ...order, sub_status: "on hold", updated_at: done, version: 2 },
    "account:100",
    { sub_status: { from: null, to: "on hold" } },
  ),
  "order.weighed": happened(
    processing,
    { ...processing, weight: 2.4, weight_updated_at: done, version: 3 },
    manager,
    {
      weight: { from: null, to: 2.4 },
      weight_updated_at: { from: null, to: done },
    },
  ),
  "order.picked": happened({ ...processing, updated_at: made }, { ...processing, version: 3 }, manager, {
    picks: { added: [pick], removed: [] },
  }),
  "order.shipped": happened(processing, shipped, manager, {
    status: { from: "Processing", to: "Shipped" },
    ...tracked,
  }),
  "order.cancelled": happened(order, cancelled, "account:100", {
    status: { from: "Pending", to: "Cancelled" },
  }),
  "stock.changed": { previous: { reserved: 1, available: 59 } },
  "product.updated": { previous: { retail: 18.95 } },
  "alias.updated": { previous: { alias: "OLD-TEE" } },
  "correction.failed": { data: failedCorrection },
  "webhook.disabled": {
    data: {
      webhook_id: 1,
      description: null,
      types: ["order.*"],
      active: false,
      disabled_reason: "gone",
      disabled_at: done,
      created_at: made,
      updated_at: done,
      version: 2,
    },
    previous: { active: true, disabled_reason: null, disabled_at: null, updated_at: made, version: 1 },
  },
};
