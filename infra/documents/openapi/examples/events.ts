/** The differences between the events of each type and the one that the examples of the fields make. */
import { cancelled, changed, done, made, order, processing, tracked } from "./orders.ts";
import { failedCorrection } from "./records.ts";

/** An event of an order, with the earlier values of its changed fields. */
const happened = (data: object, previous: object | null, by: string, change: object, at = done) => ({
  by,
  data: {
    ...order,
    ...data,
    history: [{ at, by, order_reference: undefined, ...change, changed: Object.keys(change) }],
  },
  previous,
});

const manager = "user:manager";
const pending = { status: "Pending", status_id: 1 };
const first = { updated_at: made, version: 1 };

export const events: Readonly<Record<string, object>> = {
  "order.created": happened(first, null, "account:100", { status: { from: null, to: "Pending" } }, made),
  "order.updated": happened(changed, { order_reference: null, ...first }, "account:100", {
    order_reference: { from: null, to: "my-shop-77" },
  }),
  "order.status_changed": happened(processing, { ...pending, ...first }, manager, {
    status: { from: "Pending", to: "Processing" },
    picker: { from: null, to: "manager" },
  }),
  "order.sub_status_changed": happened(
    { ...changed, sub_status: "on hold" },
    { sub_status: null, ...first },
    "account:100",
    { sub_status: { from: null, to: "on hold" } },
  ),
  "order.weighed": happened(
    { ...processing, weight: 2.4, weight_updated_at: done, version: 3 },
    { weight: null, weight_updated_at: null, version: 2 },
    manager,
    { weight: { from: null, to: 2.4 }, weight_updated_at: { from: null, to: done } },
  ),
  "order.picked": happened({ ...processing, version: 3 }, { updated_at: made, version: 2 }, manager, {
    picks: {
      added: [{ sku: "DEMO-TEE", bin_id: 1, location: "A1", bin: "01", quantity: 2, by: manager }],
      removed: [],
    },
  }),
  "order.shipped": happened(
    { ...changed, ...tracked, status: "Shipped", status_id: 9, shipped_at: done, version: 5 },
    {
      status: "Processing",
      status_id: 4,
      tracking_number: null,
      carrier: null,
      shipped_at: null,
      version: 2,
    },
    manager,
    {
      status: { from: "Processing", to: "Shipped" },
      tracking_number: { from: null, to: tracked.tracking_number },
      carrier: { from: null, to: tracked.carrier },
    },
  ),
  "order.cancelled": happened(cancelled, { ...pending, cancelled_at: null, ...first }, "account:100", {
    status: { from: "Pending", to: "Cancelled" },
  }),
  "stock.changed": { previous: { reserved: 1, available: 59 } },
  "product.updated": { previous: { retail: 18.95 } },
  "alias.updated": { previous: { alias: "OLD-TEE" } },
  "correction.failed": { data: failedCorrection },
  "webhook.disabled": {
    data: {
      ...changed,
      description: null,
      types: ["order.*"],
      active: false,
      disabled_reason: "gone",
      disabled_at: done,
    },
    previous: { active: true, disabled_reason: null, disabled_at: null, ...first },
  },
};
