import * as z from "zod/mini";

/** Stock of a product in one distribution center, in units. */
export const stockLevel = z.object({
  account_id: z.int(),
  product_id: z.int(),
  sku: z.string(),
  distribution_center_id: z.int(),
  distribution_center: z.string(),
  /** What lies in the bins and what is picked and not yet shipped. */
  on_hand: z.int(),
  /** What open orders have been promised. */
  reserved: z.int(),
});
export type StockLevel = z.output<typeof stockLevel>;

/** What can still be promised; below zero it is a backorder. */
export const available = ({ on_hand, reserved }: Pick<StockLevel, "on_hand" | "reserved">): number =>
  on_hand - reserved;

/** A change of stock of a product in one distribution center, in units. */
export interface StockChange {
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly on_hand: number;
  readonly reserved: number;
}

interface Promised {
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly quantity: number;
}

/**
 * What reserving `after` in place of `before` changes: one entry for each product and distribution center,
 * those that stay as they are left out.
 */
export function reservationChanges(
  before: readonly Promised[],
  after: readonly Promised[],
): readonly StockChange[] {
  const changes = new Map<string, StockChange>();
  const add = ({ product_id, distribution_center_id }: Promised, reserved: number) => {
    const place = `${product_id}@${distribution_center_id}`;
    const sum = (changes.get(place)?.reserved ?? 0) + reserved;
    changes.set(place, { product_id, distribution_center_id, on_hand: 0, reserved: sum });
  };
  for (const item of before) add(item, -item.quantity);
  for (const item of after) add(item, item.quantity);
  return [...changes.values()].filter(({ reserved }) => reserved !== 0);
}

/** Why stock changed. */
export type MovementReason =
  | "order_created"
  | "order_updated"
  | "order_cancelled"
  | "order_shipped"
  | "recount";

/** What goes with every movement: why, about which record, by whom and when (ISO 8601). */
export interface Cause {
  readonly reason: MovementReason;
  readonly reference: { readonly order_id: number } | { readonly correction_id: number };
  readonly by: string;
  readonly at: string;
}

/**
 * Most products that one operation may touch. A transaction holds 100 items; a product takes two (stock and
 * movement), the record with its lookups, history and tallies up to ten.
 */
export const mostProducts = 45;
