import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { type Movement, movement } from "./movement.ts";

/**
 * A movement as clients see it (docs/decisions.md, Movements): by how many units stock changed, why, and by
 * whom. Exactly one of the ids is set: that of the record that caused the change.
 */
export const movementRecord = z.object({
  at: primitive.time,
  reason: movement.shape.reason,
  on_hand: primitive.int,
  reserved: primitive.int,
  distribution_center: primitive.text,
  ...movement.shape.reference.shape,
  by: primitive.text,
  request_id: primitive.textOrNull,
});

export const presentMovement = ({
  reference,
  ...moved
}: Movement & { readonly distribution_center: string }): z.output<typeof movementRecord> => ({
  ...moved,
  ...reference,
  request_id: moved.request_id ?? null,
});
