import { isUnchanged } from "../../common/deep-equal.ts";
import { type PlannedWrites, type Write, withEffects } from "../../store/dynamodb/writes.ts";
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
  type StoredOrder,
} from "./order-repository.ts";
import { countPicked } from "./picked-orders.ts";
import { compressOrder } from "./stored-order.ts";

/**
 * Stores `after` in place of `before`, with its counters, its lookups, its place in the warehouse's work and
 * an entry of its history: what `by` changed. Stale if the order changed meanwhile. `path` is where the
 * request states its number, should that change. Nothing is stored if nothing changed.
 * @returns also the order as it is stored then, so that another change of the same transaction can build on
 * it
 */
export function saveOrder(
  before: StoredOrder,
  after: Order,
  by: string,
  path = "order_number",
): { readonly writes: PlannedWrites; readonly stored: StoredOrder } {
  const { record, recent } = before;
  if (isUnchanged(record, after)) return { writes: orders.save(before, after), stored: before };
  const compressed = compressOrder(after, [...recent, historyOf(record, after, by)]);
  const writes = withEffects(orders.save(before, after, compressed.packed), [
    ...countPicked(record, after),
    ...(compressed.leaving.length === 0 ? [] : [insertHistory(after, compressed.leaving)]),
    ...renumberWrites(record, after, path),
    ...orderReferences.change(referenceOf(record), referenceOf(after)),
  ]);
  return { writes, stored: { ...orders.written(after), recent: compressed.recent } };
}

function renumberWrites(before: Order, after: Order, path: string): readonly Write[] {
  if (before.order_number === after.order_number) return [];
  return [orderNumbers.remove(numberOf(before)), insertNumber(after, path)];
}
