import { type Context, storeOnce } from "../lambda/context.ts";
import { planOrderChange } from "../orders/change-orders.ts";
import type { Order } from "../orders/order.ts";
import { claim, type Dispatch, type OrderDecision, ship } from "../orders/order-transitions.ts";
import { findAnyOrder } from "../orders/storage/order-repository.ts";
import { untilSettled } from "../store/sagas/saga.ts";

/**
 * Processing → Shipped: a completely picked order leaves. Its goods are taken from on-hand and reserved.
 * @returns what `answer` makes of the shipped order
 * @throws Problem `not_found` where there is no such order; `invalid` where the order may not be shipped
 */
export const shipOrder = <A extends object>(
  context: Context,
  orderId: number,
  dispatch: Dispatch,
  answer: (shipped: Order) => A,
): Promise<A> => advance(context, orderId, (order, at) => ship(order, dispatch, at), answer);

/**
 * Pending → Processing: `picker` claims the order. An order that was released may be claimed, too. Where `picker` is
 * null, the order is released to nobody in particular.
 * @throws Problem `not_found` where there is no such order; `invalid` where the order may not be claimed
 */
export const claimOrder = (context: Context, orderId: number, picker: string | null): Promise<Order> =>
  advance(
    context,
    orderId,
    (order, at) => claim(order, picker, at),
    (claimed) => claimed,
  );

/** Changes one order for the warehouse, which works for all accounts. */
const advance = <A extends object>(
  context: Context,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  answer: (after: Order) => A,
): Promise<A> =>
  untilSettled(context.db, async () => {
    const before = await findAnyOrder(context.db, orderId);
    const plan = planOrderChange(context, { order_id: orderId, path: "order_id", decide }, before);
    if ("problem" in plan) throw plan.problem;
    return storeOnce(context, plan.writes, answer(plan.result));
  });
