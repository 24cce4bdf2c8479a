/** What a picker is told of orders: line by line, what is still to be taken and where. */
import type { Order, OrderItem } from "../orders/order.ts";
import { type Stop, takeFrom } from "./pick-sequence.ts";

/** A line of an order, how much of it was picked and remains, and the bins to take that from, in order. */
export interface PickLine extends OrderItem {
  readonly picked: number;
  readonly remaining: number;
  /** Together what remains; less where there is not enough. */
  readonly bins: readonly Stop[];
}

/** A product at a distribution center: what a line takes, and only from there. */
type Place = Pick<OrderItem, "product_id" | "distribution_center_id">;

const keyOf = ({ product_id, distribution_center_id }: Place): string =>
  `${product_id}@${distribution_center_id}`;

/**
 * The lines of orders that are picked one after another: a later one is not sent to units that an earlier one takes.
 * `stopsAt` tells all that lies there of a product, in the order it is taken.
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

/** Picks are of products, not of lines: of several lines of one product the first is filled first. */
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
