/** Counts of picked orders (`picked-orders.ts`), for the checks of an operator. */
import * as z from "zod/mini";
import type { Order } from "../../../../shared/orders/order.ts";
import { orders } from "../../../../shared/orders/storage/order-repository.ts";
import { isPicked, pickedCount, pickedCountKey } from "../../../../shared/orders/storage/picked-orders.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { getItem, queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { setOrInsert, type Write } from "../../../../shared/store/dynamodb/writes.ts";
import { itemsOf } from "../../../../shared/store/lists/block-list.ts";
import { orderList } from "../../../../shared/store/lists/definitions.ts";

const { table } = orderList;

/** Counts of picked orders, and picked orders: sums that come to 0 where the counts are right. */
export class PickedSums {
  readonly #sums = new Map<string, number>();

  addOrder(order: Order): void {
    if (isPicked(order)) this.#add(pickedCountKey(order.order_id), 1);
  }

  /** Takes the item of a count. */
  addCount(item: RawItem): void {
    const { pk, sk, orders } = z.parse(pickedCount, item);
    this.#add({ pk, sk }, -orders);
  }

  /** The counts that seem to be wrong. */
  suspects = (): readonly Key[] =>
    [...this.#sums]
      .filter(([, sum]) => sum !== 0)
      .map(([place]) => {
        const [pk = "", sk = ""] = place.split(" ");
        return { pk, sk };
      });

  #add({ pk, sk }: Key, by: number): void {
    const place = `${pk} ${sk}`;
    const sum = (this.#sums.get(place) ?? 0) + by;
    if (sum === 0) this.#sums.delete(place);
    else this.#sums.set(place, sum);
  }
}

/** A count, and the orders that it ought to count. */
export interface CountedOrders {
  readonly actual: number;
  /** With their versions, so that an order that left and came back is another one. */
  readonly orders: readonly string[];
  /** Has the count say their number; stale where it changed meanwhile. */
  readonly correction: Write;
}

/** Orders read at a time. */
const pageSize = 100;

/** Reads a count, and behind it all orders of its block. @throws where one of them can't be read */
export async function readPickedCount(db: Database, key: Key): Promise<CountedOrders> {
  const item = await getItem(db, { table, key });
  const actual = item === undefined ? 0 : z.parse(pickedCount, item).orders;
  const counted: string[] = [];
  for await (const items of queryPages(db, itemsOf(orderList, Number(key.sk)), pageSize))
    for (const order of items.filter(({ cell }) => cell !== undefined).map(orders.parse))
      if (isPicked(order) && pickedCountKey(order.order_id).pk === key.pk)
        counted.push(`${order.order_id} ${order.version}`);
  const when = [{ attribute: "orders", equals: actual }];
  const correction = setOrInsert({ table, key }, item, { orders: counted.length }, when);
  return { actual, orders: counted, correction };
}
