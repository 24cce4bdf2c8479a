import * as z from "zod/mini";
import { type Action, actionOf, withActions } from "../common/actions.ts";
import * as primitive from "../common/primitives.ts";
import { barcodeOf, type Order, order, orderItem, statusIds } from "./order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "./order-history.ts";
import { reasonNotAllowed } from "./order-status.ts";

const cart = z.nullable(z.object({ id: primitive.int, store_name: primitive.text }));

/** The fields of an order that clients see as they are stored. */
const { shape } = z.omit(order, {
  account_id: true,
  store: true,
  items: true,
  weighed_by: true,
  picker: true,
  picks: true,
  reverted_by: true,
  created_by: true,
});

/**
 * An order as clients see it (docs/decisions.md, Reading orders): all fields but the internal ones, and those
 * that derive from others: barcode, status code, cart. Answers show the fields in this order.
 */
export const orderRecord = z.extend(
  z.object({
    order_id: shape.order_id,
    order_number: shape.order_number,
    order_reference: shape.order_reference,
    order_api: shape.order_api,
    nbtybarcode: primitive.text,
    status: shape.status,
    status_id: primitive.int,
    sub_status: shape.sub_status,
    order_type_id: shape.order_type_id,
    warehouse_id: shape.warehouse_id,
    shipping_method: shape.shipping_method,
    tracking_number: shape.tracking_number,
    carrier: shape.carrier,
    cart,
    customer: shape.customer,
    items: z.array(z.omit(orderItem, { distribution_center_id: true })),
  }),
  shape,
);

const presentStore = (store: Order["store"]) =>
  store === null ? null : { id: store.id, store_name: store.name };

export type OrderRecord = z.output<typeof orderRecord>;

export const orderCalls = {
  edit: { action: "updateOrders", method: "PUT", path: "/apirest/v4/oms/orders" },
  cancel: { action: "cancelOrder", method: "POST", path: "/apirest/v4/oms/orders/cancel" },
  setSubStatus: { action: "setSubStatus", method: "POST", path: "/apirest/v4/oms/orders/sub_status" },
  return: { action: "createReturns", method: "POST", path: "/apirest/v4/oms/inventory/returns" },
} as const;

/** The actions that are possible for an order, and why others are not. */
function orderActions(shown: OrderRecord): Action[] {
  const isReturned = shown.items.every(({ quantity, returned }) => returned >= quantity);
  const returning =
    reasonNotAllowed(shown, "return") ?? (isReturned ? "has no goods left to return" : undefined);
  return [
    actionOf(orderCalls.edit, reasonNotAllowed(shown, "edit")),
    actionOf(orderCalls.cancel, reasonNotAllowed(shown, "cancel")),
    actionOf(orderCalls.setSubStatus, reasonNotAllowed(shown, "setSubStatus")),
    actionOf(orderCalls.return, returning),
  ];
}

export const orderWithActions = withActions(orderRecord, orderActions);

export const presentOrder = ({ store, ...stored }: Order): OrderRecord => ({
  ...stored,
  nbtybarcode: barcodeOf(stored.order_id),
  status_id: statusIds[stored.status],
  cart: presentStore(store),
});

/** A change of an order as clients see it: the store is the `cart` that they know. */
const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(primitive.text),
  cart: z.optional(z.object({ from: cart, to: cart })),
});

/** An order with its changes, oldest first. Of very many changes, only the latest are included. */
export const orderWithHistory = z.extend(orderRecord, { history: z.array(historyRecord) });

export const orderWithHistoryAndActions = withActions(orderWithHistory, orderActions);

function presentEntry(entry: HistoryEntry): z.output<typeof historyRecord> {
  const { store, ...others } = entry;
  const changed = changedIn(entry).map((name) => (name === "store" ? "cart" : name));
  if (store === undefined) return { ...others, changed };
  return { ...others, changed, cart: { from: presentStore(store.from), to: presentStore(store.to) } };
}

export const presentOrderWithHistory = (
  order: Order,
  history: readonly HistoryEntry[],
): z.output<typeof orderWithHistory> => ({ ...presentOrder(order), history: history.map(presentEntry) });
