/** The history of an order as clients see it. */
import * as z from "zod/mini";
import { withActions } from "../common/actions.ts";
import * as primitive from "../common/primitives.ts";
import type { Order } from "./order.ts";
import { changedIn, type HistoryEntry, historyEntry } from "./order-history.ts";
import { cart, orderActions, orderRecord, presentOrder, presentStore } from "./order-view.ts";

/** A change of an order as clients see it: the store is the `cart` that they know. */
const historyRecord = z.extend(z.omit(historyEntry, { store: true, customer: true }), {
  /** The names of the fields that changed. */
  changed: z.array(primitive.text),
  cart: z.optional(z.object({ from: cart, to: cart })),
});

/** An order with its changes, oldest first. Of very many changes, only the latest are there. */
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
