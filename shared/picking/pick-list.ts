/** A picker's view of orders: for each line, what is still to be taken and where it is. */
import { product } from "../catalog/products/product.ts";
import { productLookup } from "../catalog/products/product-repository.ts";
import { mapConcurrently } from "../common/concurrency.ts";
import type { Order, OrderItem } from "../orders/order.ts";
import { unpickedUnits } from "../orders/order-status.ts";
import { binsOf } from "../stock/bins/bin-repository.ts";
import { type Stop, stopsOf, takeFrom } from "../stock/bins/pick-sequence.ts";
import { type StockKey, stockKeyText } from "../stock/stock.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, maxParallelCalls, parsed } from "../store/dynamodb/reads.ts";

/**
 * A line of an order, the units that were picked and that remain, and the bins to take the rest from, in
 * order.
 */
export interface PickLine extends OrderItem {
  readonly picked: number;
  readonly remaining: number;
  /** Their units add up to `remaining`, or to less if there is not enough. */
  readonly bins: readonly Stop[];
}

/**
 * The goods still to be picked for these orders, and their bins. Orders are planned in sequence: each gets
 * what the earlier ones leave.
 */
export async function listPicks(
  db: Database,
  orders: readonly Order[],
): Promise<readonly (readonly PickLine[])[]> {
  const ids = [...new Set(orders.flatMap(productsToPick))];
  const [find, bins] = await Promise.all([
    getItems(db, ids.map(productLookup)),
    mapConcurrently(ids, async (id) => [id, await binsOf(db, id)] as const, maxParallelCalls),
  ]);
  const binsByProduct = new Map(bins);
  return pickLinesOf(orders, ({ product_id, distribution_center_id: center }) => {
    const style = parsed(product, find(productLookup(product_id)))?.pick_style ?? null;
    const held = binsByProduct.get(product_id) ?? [];
    const here = held.filter(({ distribution_center_id }) => distribution_center_id === center);
    return stopsOf(here, style);
  });
}

const productsToPick = (order: Order): readonly number[] =>
  withPicked(order).flatMap(({ product_id, remaining }) => (remaining > 0 ? [product_id] : []));

/**
 * The lines of orders that are picked one after another. No order is sent to units that an earlier order
 * takes, and a line takes its product only from its own center. `stopsAt` returns everything that a center
 * holds of a product, in the sequence of picking.
 */
export function pickLinesOf(
  orders: readonly Order[],
  stopsAt: (key: StockKey) => readonly Stop[],
): readonly (readonly PickLine[])[] {
  const lying = new Map<string, readonly Stop[]>();
  return orders.map((order) =>
    withPicked(order).map((line) => {
      const key = stockKeyText(line);
      const { taken, left } = takeFrom(lying.get(key) ?? stopsAt(line), line.remaining);
      lying.set(key, left);
      return { ...line, bins: taken };
    }),
  );
}

/**
 * The lines with their picked units. Picks name a product rather than a line, so they fill the first line of
 * a product in a center first, and what remains is on the last ones.
 */
export function withPicked(order: Order): readonly Omit<PickLine, "bins">[] {
  const open = new Map(unpickedUnits(order));
  const lines = order.items.toReversed().map((item) => {
    const left = open.get(stockKeyText(item)) ?? 0;
    const remaining = Math.max(0, Math.min(left, item.quantity));
    open.set(stockKeyText(item), left - remaining);
    return { ...item, picked: item.quantity - remaining, remaining };
  });
  return lines.reverse();
}
