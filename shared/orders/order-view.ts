import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { barcodeOf, type Order, order, orderedKit, orderItem, statusIds } from "./order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "./order-history.ts";

/** An order as clients see it (docs/decisions.md, Reading orders). */
export const orderRecord = z.object({
  order_id: primitive.int,
  order_number: primitive.text,
  order_reference: primitive.textOrNull,
  order_api: primitive.text,
  nbtybarcode: primitive.text,
  status: order.shape.status,
  status_id: primitive.int,
  sub_status: primitive.textOrNull,
  order_type_id: primitive.int,
  warehouse_id: primitive.int,
  shipping_method: primitive.text,
  tracking_number: primitive.textOrNull,
  carrier: primitive.textOrNull,
  cart: z.nullable(z.object({ id: primitive.int, store_name: primitive.text })),
  customer: order.shape.customer,
  items: z.array(z.omit(orderItem, { distribution_center_id: true })),
  kits: z.array(orderedKit),
  weight: primitive.numberOrNull,
  weight_updated_at: primitive.textOrNull,
  created_at: primitive.text,
  updated_at: primitive.text,
  shipped_at: primitive.textOrNull,
  cancelled_at: primitive.textOrNull,
});

/** A change of an order as clients see it: the store is the `cart` that they know. */
export const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(primitive.text),
  cart: z.optional(z.object({ from: orderRecord.shape.cart, to: orderRecord.shape.cart })),
});

/** An order with its changes, oldest first. Of very many changes, only the latest are there. */
export const orderWithHistory = z.extend(orderRecord, { history: z.array(historyRecord) });

const presentStore = (store: Order["store"]) =>
  store === null ? null : { id: store.id, store_name: store.name };

/** An order with the fields that derive from others: barcode, status code, cart. */
export const presentOrder = ({ store, ...stored }: Order): z.output<typeof orderRecord> => ({
  ...stored,
  nbtybarcode: barcodeOf(stored.order_id),
  status_id: statusIds[stored.status],
  cart: presentStore(store),
});

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
