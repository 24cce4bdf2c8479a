import { type Context, storeOnce } from "../lambda/context.ts";
import { planOrderChange } from "../orders/change-orders.ts";
import type { Order } from "../orders/order.ts";
import { findAnyOrder } from "../orders/storage/order-repository.ts";
import { untilSettled } from "../store/sagas/saga.ts";
import { locatePicks, type PickRequest } from "./locate-picks.ts";
import { pick, pickRejection } from "./picking.ts";

interface Picker extends Context {
  readonly user_name: string;
}

/**
 * Takes goods out of bins for a Processing order; out of a bin, the lots that the product's pick style takes first. The
 * order notes lots and serials. Picked goods count as on hand until they are shipped, so stock does not move.
 * @throws Problem `not_found` where there is no such order. `invalid`, with nothing changed, where the order is not
 * Processing or is another's to pick; where more is picked than is ordered or lies there; or where serials are missing
 * or can't be picked. `picks.0.quantity` and the like name the place
 * @returns what `answer` makes of the order
 */
export const pickOrder = <A extends object>(
  { user_name: userName, ...context }: Picker,
  orderId: number,
  requests: readonly PickRequest[],
  answer: (picked: Order) => A,
): Promise<A> =>
  untilSettled(context.db, async () => {
    const { db } = context;
    const before = await findAnyOrder(db, orderId);
    // An order that can't be picked is refused for that reason, not for goods that its bins lack.
    const pickable = before !== undefined && pickRejection(before, userName) === undefined;
    const located = pickable ? await locatePicks(db, before, requests) : { picks: [], writes: [] };
    const picks = located.picks.map((one) => ({ ...one, by: userName, at: context.now }));
    const plan = planOrderChange(
      context,
      { order_id: orderId, path: "order_id", decide: (order, at) => pick(order, { userName, picks }, at) },
      before,
    );
    if ("problem" in plan) throw plan.problem;
    return storeOnce(context, [...plan.writes, ...located.writes], answer(plan.result));
  });
