import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { inboundLine, withRemaining } from "./inbound.ts";
import { type Replenishment, replenishment } from "./replenishments/replenishment.ts";
import { type OrderReturn, orderReturn, returnLine } from "./returns/return.ts";

/** A replenishment as clients see it: with what remains to be put away of each line. */
export const replenishmentRecord = z.extend(
  z.omit(replenishment, { account_id: true, distribution_center_id: true, version: true }),
  { items: z.array(z.extend(inboundLine, { remaining: primitive.int })) },
);

export const presentReplenishment = (stored: Replenishment): z.output<typeof replenishmentRecord> => ({
  ...stored,
  items: withRemaining(stored.items),
});

/** A return as clients see it: with what remains to be put away of each line. */
export const returnRecord = z.extend(z.omit(orderReturn, { account_id: true, version: true }), {
  items: z.array(z.extend(returnLine, { remaining: primitive.int })),
});

export const presentReturn = (stored: OrderReturn): z.output<typeof returnRecord> => ({
  ...stored,
  items: withRemaining(stored.items),
});
