import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";

/** Stock of a product in one distribution center, in units. */
export const stockLevel = z.object({
  account_id: primitive.int,
  product_id: primitive.int,
  sku: primitive.text,
  distribution_center_id: primitive.int,
  distribution_center: primitive.text,
  /** Units that lie in the bins, and units that are picked and not yet shipped. */
  on_hand: primitive.int,
  /** Units that are promised to open orders. */
  reserved: primitive.int,
  /** Units that replenishments are still to bring: announced and not put away. */
  incoming: primitive.int,
});
export type StockLevel = z.output<typeof stockLevel>;

/** The units of a level, without whose they are. */
export const stockUnits = z.pick(stockLevel, { on_hand: true, reserved: true, incoming: true });
export type StockUnits = z.output<typeof stockUnits>;

/** Units that can still be promised. Below zero there is a backorder. */
export const available = ({ on_hand, reserved }: Pick<StockLevel, "on_hand" | "reserved">): number =>
  on_hand - reserved;

/** A change of stock of a product in one distribution center, in units. */
export interface StockChange {
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly on_hand: number;
  readonly reserved: number;
}

/** Units of a product in a distribution center. */
interface Units {
  readonly product_id: number;
  readonly distribution_center_id: number;
  readonly quantity: number;
}

/** What an order does to stock: the units that are reserved for it, and the units that have left with it. */
export interface StockEffect {
  readonly promised: readonly Units[];
  readonly departed: readonly Units[];
}

const nothing: StockEffect = { promised: [], departed: [] };

/**
 * What changes of stock where an order's effect is `after` in place of `before`: one entry for each product and
 * distribution center. Products whose stock stays as it is are left out.
 */
export function stockChanges(before: StockEffect, after: StockEffect): readonly StockChange[] {
  const changes = new Map<string, StockChange>();
  const add = ({ product_id, distribution_center_id }: Units, on_hand: number, reserved: number) => {
    const place = `${product_id}@${distribution_center_id}`;
    const earlier = changes.get(place) ?? { on_hand: 0, reserved: 0 };
    changes.set(place, {
      product_id,
      distribution_center_id,
      on_hand: earlier.on_hand + on_hand,
      reserved: earlier.reserved + reserved,
    });
  };
  for (const units of before.promised) add(units, 0, -units.quantity);
  for (const units of after.promised) add(units, 0, units.quantity);
  for (const units of before.departed) add(units, units.quantity, 0);
  for (const units of after.departed) add(units, -units.quantity, 0);
  return [...changes.values()].filter(({ on_hand, reserved }) => on_hand !== 0 || reserved !== 0);
}

/** What a newly placed order changes of stock. */
export const reservations = (promised: readonly Units[]): readonly StockChange[] =>
  stockChanges(nothing, { promised, departed: [] });

/** Why stock changed. */
export const movementReasons = [
  "order_created",
  "order_updated",
  "order_cancelled",
  "order_shipped",
  "recount",
  "put_away",
  "bin_move",
  "carried_forward",
  "repaired",
] as const;
export type MovementReason = (typeof movementReasons)[number];

/** The record that a movement is about, if there is one. */
export type MovementReference =
  | { readonly order_id: number }
  | { readonly correction_id: number }
  | { readonly replenishment_id: number }
  | { readonly return_id: number }
  | Record<string, never>;

/** What every movement states: why, about which record, by whom and when (ISO 8601). */
export interface Cause {
  readonly reason: MovementReason;
  readonly reference: MovementReference;
  readonly by: string;
  readonly at: string;
}

/** A movement as it is stored. */
export const movement = z.object({
  product_id: primitive.int,
  distribution_center_id: primitive.int,
  on_hand: primitive.int,
  reserved: primitive.int,
  reason: z.enum(movementReasons),
  reference: z.object({
    order_id: z.optional(primitive.int),
    correction_id: z.optional(primitive.int),
    replenishment_id: z.optional(primitive.int),
    return_id: z.optional(primitive.int),
  }),
  by: primitive.text,
  at: primitive.text,
});
export type Movement = z.output<typeof movement>;
