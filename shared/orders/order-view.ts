import * as z from "zod/mini";
import * as plain from "../common/plain.ts";
import { barcodeOf, type Order, order, orderedKit, orderItem, statusIds } from "./order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "./order-history.ts";

/** An order as clients see it (docs/decisions.md, Reading orders). */
export const orderRecord = z.object({
  order_id: plain.int,
  order_number: plain.text,
  order_reference: plain.textOrNull,
  order_api: plain.text,
  nbtybarcode: plain.text,
  status: order.shape.status,
  status_id: plain.int,
  sub_status: plain.textOrNull,
  order_type_id: plain.int,
  warehouse_id: plain.int,
  shipping_method: plain.text,
  tracking_number: plain.textOrNull,
  carrier: plain.textOrNull,
  cart: z.nullable(z.object({ id: plain.int, store_name: plain.text })),
  customer: order.shape.customer,
  items: z.array(z.omit(orderItem, { distribution_center_id: true })),
  kits: z.array(orderedKit),
  weight: plain.numberOrNull,
  weight_updated_at: plain.textOrNull,
  created_at: plain.text,
  updated_at: plain.text,
  shipped_at: plain.textOrNull,
  cancelled_at: plain.textOrNull,
});

/** A change of an order as clients see it: the store is the `cart` that they know. */
export const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(plain.text),
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
