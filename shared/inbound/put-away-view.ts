import * as z from "zod/mini";
import { id, optional } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { invalidAt } from "../common/problem.ts";
import { inboundLine, inboundStatus } from "./inbound.ts";
import type { PutAwayState, PutAwayTarget } from "./put-away.ts";

/** The fields of a body that say whose goods are put away. Exactly one of them is sent. */
export const putAwayTarget = z.object({ replenishment_id: optional(id), return_id: optional(id) });

/** The record that a body names. @throws Problem `invalid` where it names none, or two */
export function targetOf({ replenishment_id, return_id }: z.output<typeof putAwayTarget>): PutAwayTarget {
  if (replenishment_id !== undefined && return_id !== undefined)
    throw invalidAt([{ path: "return_id", message: "must not be sent beside replenishment_id" }]);
  if (replenishment_id !== undefined) return { replenishment_id };
  if (return_id !== undefined) return { return_id };
  throw invalidAt([{ path: "replenishment_id", message: "is required, or return_id" }]);
}

/** How much of a replenishment or a return was put away and how much remains, line by line, as clients see it. */
export const putAwayRecord = z.object({
  replenishment_id: z.optional(primitive.int),
  return_id: z.optional(primitive.int),
  status: inboundStatus,
  items: z.array(z.extend(inboundLine, { remaining: primitive.int })),
});

export const presentPutAway = (
  target: PutAwayTarget,
  { status, items }: PutAwayState,
): z.output<typeof putAwayRecord> => ({ ...target, status, items: [...items] });
