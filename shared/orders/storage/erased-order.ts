/** Stored copies of orders whose customers are erased (docs/decisions.md, Erasing customers). */
import * as z from "zod/mini";
import { isDeepEqual } from "../../common/deep-equal.ts";
import * as primitive from "../../common/primitives.ts";
import { compress, decompress } from "../../store/dynamodb/compressed.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import { getItem, type RawItem } from "../../store/dynamodb/reads.ts";
import { isTemporary } from "../../store/dynamodb/temporary.ts";
import type { ItemChange } from "../../streams/change.ts";
import type { Customer } from "../order.ts";
import { orderList, orders } from "./order-repository.ts";

const packed = z.object({ content: z.instanceof(Uint8Array) });

/** An order's item with this customer. @throws if it is unreadable */
export function itemWithCustomer(stored: RawItem, customer: Customer): RawItem {
  const order = z.parse(primitive.record, decompress(z.parse(packed, stored).content));
  return isDeepEqual(order["customer"], customer)
    ? stored
    : { ...stored, content: compress({ ...order, customer }) };
}

/** A copy of an order's item with its erased customer. Unreadable content is dropped. */
export function erasedCopy(stored: RawItem, customer: Customer): RawItem {
  try {
    return itemWithCustomer(stored, customer);
  } catch {
    const { content: _, ...others } = stored;
    return others;
  }
}

/**
 * A change to store. If the customer of its order has been erased since, as after a second delivery, the
 * customer is erased in the change as well.
 */
export async function withKnownErasure(db: Database, change: ItemChange): Promise<ItemChange> {
  if (change.table !== orderList.table || !change.key.pk.startsWith(joined(orderList.name, "")))
    return change;
  const customer = await customerOf(db, change);
  if (customer?.erased_at === undefined) return change;
  const { before, after } = change;
  return {
    ...change,
    before: before && erasedCopy(before, customer),
    after: after && erasedCopy(after, customer),
  };
}

/** The customer of the order that changed, as it is now; undefined if the order is gone, or unreadable. */
async function customerOf(db: Database, { table, key }: ItemChange): Promise<Customer | undefined> {
  try {
    const item = await getItem(db, { table, key });
    return item && orders.parse(item).customer;
  } catch (error) {
    if (isTemporary(error)) throw error;
    return undefined;
  }
}
