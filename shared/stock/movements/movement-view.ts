import * as z from "zod/mini";
import * as plain from "../../common/plain.ts";
import { type Movement, movement } from "../stock.ts";

/**
 * A movement as clients see it (docs/decisions.md, Movements): by how many units stock changed, why, and by whom. A
 * movement has one of the ids: that of the record which changed the stock.
 */
export const movementRecord = z.object({
  at: plain.text,
  reason: movement.shape.reason,
  on_hand: plain.int,
  reserved: plain.int,
  distribution_center: plain.text,
  ...movement.shape.reference.shape,
  by: plain.text,
});

/** A movement with the code of the distribution center whose stock it changed. */
export const presentMovement = ({
  reference,
  ...moved
}: Movement & { readonly distribution_center: string }): z.output<typeof movementRecord> => ({
  ...moved,
  ...reference,
});
