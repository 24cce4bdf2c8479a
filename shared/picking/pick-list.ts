/** What a picker sees of orders: for each line, what is still to be taken and where it lies. */
import type { Order, OrderItem } from "../orders/order.ts";
import { type Stop, takeFrom } from "../stock/bins/pick-sequence.ts";

/**
 * A line of an order, the units that were picked and that remain, and the bins to take the rest from, in
 * order.
 */
export interface PickLine extends OrderItem {
  readonly picked: number;
  readonly remaining: number;
  /** Their units add up to `remaining`, or to less where there are not enough. */
  readonly bins: readonly Stop[];
}

/** A product in a distribution center. A line takes its product from that center only. */
type Place = Pick<OrderItem, "product_id" | "distribution_center_id">;

const keyOf = ({ product_id, distribution_center_id }: Place): string =>
  `${product_id}@${distribution_center_id}`;

/**
 * The lines of orders that are picked one after another. No order is sent to units that an earlier order
 * takes. `stopsAt` answers everything that a center holds of a product, in the sequence of picking.
 */
export function pickLinesOf(
  orders: readonly Order[],
  stopsAt: (place: Place) => readonly Stop[],
): readonly (readonly PickLine[])[] {
  const lying = new Map<string, readonly Stop[]>();
  return orders.map((order) =>
    withPicked(order).map((line) => {
      const key = keyOf(line);
      const { taken, left } = takeFrom(lying.get(key) ?? stopsAt(line), line.remaining);
      lying.set(key, left);
      return { ...line, bins: taken };
    }),
  );
}

/**
 * The lines with their picked units. Picks name a product, not a line, so the first line of a product fills
 * first.
 */
export function withPicked({ items, picks }: Order): readonly Omit<PickLine, "bins">[] {
  const pools = new Map<string, number>();
  for (const pick of picks) pools.set(keyOf(pick), (pools.get(keyOf(pick)) ?? 0) + pick.quantity);
  return items.map((item) => {
    const pool = pools.get(keyOf(item)) ?? 0;
    const picked = Math.min(pool, item.quantity);
    pools.set(keyOf(item), pool - picked);
    return { ...item, picked, remaining: item.quantity - picked };
  });
}
