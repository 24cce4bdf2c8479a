import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { barcodeOf, type Order, order, orderItem, statusIds } from "./order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "./order-history.ts";

const cart = z.nullable(z.object({ id: primitive.int, store_name: primitive.text }));

/**
 * An order as clients see it (docs/decisions.md, Reading orders): all fields but the internal ones, and those
 * that derive from others: barcode, status code, cart.
 */
export const orderRecord = z.object({
  order_id: primitive.int,
  ...z.omit(order, {
    order_id: true,
    account_id: true,
    store: true,
    weighed_by: true,
    picker: true,
    picks: true,
    reverted_by: true,
    created_by: true,
    version: true,
  }).shape,
  nbtybarcode: primitive.text,
  status_id: primitive.int,
  cart,
  items: z.array(z.omit(orderItem, { distribution_center_id: true })),
});

/** A change of an order as clients see it: the store is the `cart` that they know. */
export const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(primitive.text),
  cart: z.optional(z.object({ from: cart, to: cart })),
});

/** An order with its changes, oldest first. Of very many changes, only the latest are there. */
export const orderWithHistory = z.extend(orderRecord, { history: z.array(historyRecord) });

const presentStore = (store: Order["store"]) =>
  store === null ? null : { id: store.id, store_name: store.name };

export type OrderRecord = z.output<typeof orderRecord>;

export const presentOrder = ({ store, ...stored }: Order): OrderRecord => ({
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
