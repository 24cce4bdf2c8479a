import * as z from "zod/mini";
import { actionOf, withActions } from "../common/actions.ts";
import { optionalId, setOnce } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { invalidAt } from "../common/problem.ts";
import {
  type InboundLine,
  type InboundRecord,
  type InboundStatus,
  inboundLine,
  inboundStatus,
  remainingOf,
} from "./inbound.ts";
import type { PutAwayTarget } from "./put-away.ts";
import { reasonOnceReceived, replenishment } from "./replenishments/replenishment.ts";
import { orderReturn, returnLine } from "./returns/return.ts";

const nothingRemains = (status: InboundStatus): string | undefined =>
  status === "Received" ? "is Received; nothing remains to be put away" : undefined;

/** A replenishment as clients see it, with what remains to be put away of each line. */
export const replenishmentRecord = z.extend(
  z.omit(replenishment, { account_id: true, distribution_center_id: true }),
  { items: z.array(z.extend(inboundLine, { remaining: primitive.int })) },
);

export const inboundCalls = {
  change: {
    action: "patchReplenishments",
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/replenishments",
  },
  putAway: { action: "proPutAwayMove", method: "POST", path: "/apiv2/pro-v1/put-away-move" },
} as const;

export const replenishmentWithActions = withActions(replenishmentRecord, ({ status }) => [
  actionOf(inboundCalls.change, reasonOnceReceived(status)),
  actionOf(inboundCalls.putAway, nothingRemains(status)),
]);

/** A return as clients see it, with what remains to be put away of each line. */
export const returnRecord = z.extend(z.omit(orderReturn, { account_id: true }), {
  items: z.array(z.extend(returnLine, { remaining: primitive.int })),
});

export const returnWithActions = withActions(returnRecord, ({ status }) => [
  actionOf(inboundCalls.putAway, nothingRemains(status)),
]);

/** The record of a replenishment or a return: each line with the units that remain. */
export const presentInbound = <R extends { readonly items: readonly InboundLine[] }>(stored: R) => ({
  ...stored,
  items: stored.items.map((line: R["items"][number]) => ({ ...line, remaining: remainingOf(line) })),
});

/** The fields of a body that say whose goods are put away. Exactly one of them is sent. */
export const putAwayTarget = z.object({ replenishment_id: optionalId, return_id: optionalId });

/** The record that a body names. @throws Problem `invalid` if it names none, or two */
export function targetOf({ replenishment_id, return_id }: z.output<typeof putAwayTarget>): PutAwayTarget {
  if (replenishment_id !== undefined && return_id !== undefined)
    throw invalidAt([{ path: "return_id", message: "must not be sent beside replenishment_id" }]);
  if (replenishment_id !== undefined) return { replenishment_id };
  if (return_id !== undefined) return { return_id };
  throw invalidAt([{ path: "replenishment_id", message: "is required, unless return_id is sent" }]);
}

/**
 * How much of a replenishment or a return was put away and how much remains, line by line, as clients see it.
 */
export const putAwayRecord = z.object({
  replenishment_id: z.optional(primitive.int),
  return_id: z.optional(primitive.int),
  status: inboundStatus,
  items: z.array(z.extend(inboundLine, { remaining: primitive.int })),
});

export const presentPutAway = (
  target: PutAwayTarget,
  after: InboundRecord,
): z.output<typeof putAwayRecord> => ({
  ...target,
  status: after.status,
  items: presentInbound(after).items,
});

/** The calls that change the fields which a PATCH leaves alone. Others follow from what was sent. */
export const replenishmentReadOnly = {
  status: "goods that are put away change it",
  created_at: setOnce,
} as const;
