import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";

/** Reasons of movements that release 1.0.0 does not know. */
const holdReasons = ["hold_created", "hold_used", "hold_released", "hold_expired"] as const;

const firstReasons = [
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

export const movementReasons = [...firstReasons, ...holdReasons] as const;
export type MovementReason = (typeof movementReasons)[number];

/** The record that a movement is about, if there is one. */
type MovementReference =
  | { readonly order_id: number }
  | { readonly correction_id: number }
  | { readonly replenishment_id: number }
  | { readonly return_id: number }
  | { readonly hold_id: string }
  | Record<string, never>;

/** Why stock changed, because of which record, by whom and when (ISO 8601). */
export interface Cause {
  readonly reason: MovementReason;
  readonly reference: MovementReference;
  readonly by: string;
  readonly at: string;
}

/** A movement: a change of stock with its cause. */
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
    hold_id: z.optional(primitive.text),
  }),
  by: primitive.text,
  /** The id of the call that caused it, which its insert adds. */
  request_id: z.optional(primitive.text),
  at: primitive.time,
});
export type Movement = z.output<typeof movement>;

/**
 * A movement as it is stored. The reason of a hold's movement is `hold`, beside a reason that release 1.0.0
 * can read.
 */
export const storedMovement = z.pipe(
  z.extend(movement, {
    reason: z.enum(firstReasons),
    hold: z.optional(z.enum(holdReasons)),
  }),
  z.transform(({ hold, ...others }): Movement => ({ ...others, reason: hold ?? others.reason })),
);

/** The reason of a movement as `storedMovement` has it. */
export function storedReason(reason: MovementReason): { readonly reason: string; readonly hold?: string } {
  return holdReasons.some((one) => one === reason) ? { reason: "order_updated", hold: reason } : { reason };
}
