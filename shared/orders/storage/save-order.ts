import type { Write } from "../../store/dynamodb/writes.ts";
import type { Order } from "../order.ts";
import { historyOf } from "../order-history.ts";
import { insertHistory } from "./order-history-repository.ts";
import {
  insertNumber,
  numberOf,
  orderNumbers,
  orderReferences,
  orders,
  referenceOf,
} from "./order-repository.ts";
import { countPicked } from "./picked-orders.ts";
import { compress, recentOf, withContent } from "./stored-order.ts";

/**
 * Stores `after` in place of `before`, with its counters, its lookups, its place in the warehouse's work and an entry of
 * its history: what `by` changed. Stale if the order changed meanwhile. `path` is where the request states its number,
 * should that change. Nothing is stored if nothing changed.
 */
export function saveOrder(before: Order, after: Order, by: string, path = "order_number"): readonly Write[] {
  if (after === before) return orders.save(before, after);
  const { content, apart } = compress(after, [...recentOf(before), historyOf(before, after, by)]);
  return [
    ...withContent(orders.save(before, after), content),
    ...countPicked(before, after),
    ...(apart.length === 0 ? [] : [insertHistory(after, apart)]),
    ...renumbered(before, after, path),
    ...orderReferences.change(referenceOf(before), referenceOf(after)),
  ];
}

function renumbered(before: Order, after: Order, path: string): readonly Write[] {
  if (before.order_number === after.order_number) return [];
  return [orderNumbers.remove(numberOf(before)), insertNumber(after, path)];
}
