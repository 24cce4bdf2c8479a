import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { type Movement, movement } from "../stock.ts";

/**
 * A movement as clients see it (docs/decisions.md, Movements): by how many units stock changed, why, and by whom. A
 * movement has one of the ids: that of the record which changed the stock.
 */
export const movementRecord = z.object({
  at: primitive.text,
  reason: movement.shape.reason,
  on_hand: primitive.int,
  reserved: primitive.int,
  distribution_center: primitive.text,
  ...movement.shape.reference.shape,
  by: primitive.text,
});

/** A movement with the code of the distribution center whose stock it changed. */
export const presentMovement = ({
  reference,
  ...moved
}: Movement & { readonly distribution_center: string }): z.output<typeof movementRecord> => ({
  ...moved,
  ...reference,
});
