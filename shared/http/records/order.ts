import * as z from "zod/mini";
import { barcodeOf, type Order, order, orderedKit, orderItem, statusIds } from "../../domain/orders/order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "../../domain/orders/order-history.ts";

/** An order as clients see it (docs/decisions.md, Reading orders). */
export const orderRecord = z.object({
  order_id: z.int(),
  order_number: z.string(),
  order_reference: z.nullable(z.string()),
  order_api: z.string(),
  nbtybarcode: z.string(),
  status: order.shape.status,
  status_id: z.int(),
  sub_status: z.nullable(z.string()),
  order_type_id: z.int(),
  warehouse_id: z.int(),
  shipping_method: z.string(),
  tracking_number: z.nullable(z.string()),
  carrier: z.nullable(z.string()),
  cart: z.nullable(z.object({ id: z.int(), store_name: z.string() })),
  customer: order.shape.customer,
  items: z.array(z.omit(orderItem, { distribution_center_id: true })),
  kits: z.array(orderedKit),
  weight: z.nullable(z.number()),
  weight_updated_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  shipped_at: z.nullable(z.string()),
  cancelled_at: z.nullable(z.string()),
});

/** A change of an order as clients see it: the store is the `cart` that they know. */
export const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(z.string()),
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
