/**
 * Picking: how the warehouse works through orders of all accounts.
 *
 *  1. claim   a picker is given the oldest waiting orders (`claim-orders.ts`), each with the bins to go to
 *             (`pick-list.ts`). The product's pick style decides the sequence of lots: FIFO by arrival, FEFO
 *             by expiry, and others (`shared/stock/bins/pick-sequence.ts`)
 *  2. pick    the picker reports what was taken from which bin; the order notes lots and serials
 *             (`locate-picks.ts`, `picking.ts`)
 *  3. ship    quality control approves a completely picked order (`shipment-view.ts`)
 *
 * Jobs weigh an order or revert it to Pending, which puts its goods back (`order-jobs.ts`). This file has the
 * flows of the three steps; each changes one order through `shared/orders/change-orders.ts`.
 */

import { changeOrder } from "../orders/change-orders.ts";
import type { Order } from "../orders/order.ts";
import { claim, type Parcel, ship } from "../orders/order-transitions.ts";
import type { Context } from "../runtime/context.ts";
import { locatePicks, type PickRequest } from "./locate-picks.ts";
import { pick, rejectPick } from "./picking.ts";

/** A picker claims an order, or it is released to any picker (`picker` null). @throws as `changeOrder` */
export const claimOrder = (context: Context, orderId: number, picker: string | null): Promise<Order> =>
  changeOrder(
    context,
    orderId,
    async (order, at) => claim(order, picker, at),
    (claimed) => claimed,
  );

interface Picker extends Context {
  readonly user_name: string;
}

/**
 * Takes goods out of bins for a Processing order: from each bin, the lots that come first in the product's
 * pick style. The order keeps lots and serials. Picked goods count as on hand until they are shipped, so
 * stock does not move.
 * @throws as `changeOrder`; Problem `invalid`, with nothing changed, if the order is not this picker's to
 * pick, if more is picked than was ordered or is in the bin, or if serials are missing or can't be picked
 */
export const pickOrder = <A extends object>(
  { user_name: userName, ...context }: Picker,
  orderId: number,
  requests: readonly PickRequest[],
  answer: (picked: Order) => A,
): Promise<A> =>
  changeOrder(
    context,
    orderId,
    async (before, at) => {
      // If the order can't be picked, the error says so instead of saying that its bins hold too little.
      const rejected = rejectPick(before, userName);
      if (rejected !== undefined) return rejected;
      const { picks, writes } = await locatePicks(context.db, before, requests);
      return {
        ...pick(before, { userName, picks: picks.map((picked) => ({ ...picked, by: userName, at })) }, at),
        extraWrites: writes,
      };
    },
    answer,
  );

/**
 * Ships a completely picked order: its goods are no longer on hand, nor reserved.
 * @throws as `changeOrder`
 */
export const shipOrder = <A extends object>(
  context: Context,
  orderId: number,
  parcel: Parcel,
  answer: (shipped: Order) => A,
): Promise<A> => changeOrder(context, orderId, async (order, at) => ship(order, parcel, at), answer);
