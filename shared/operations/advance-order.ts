import { findAnyOrder } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import { claim, type OrderDecision, ship } from "../domain/orders/order-transitions.ts";
import { untilFresh } from "../store/transact.ts";
import { planOrderChange } from "./change-orders.ts";
import { type Context, storeOnce } from "./context.ts";

/**
 * Processing → Shipped: a completely picked order leaves, and takes its goods from on-hand and reserved.
 * @returns what `answer` makes of the shipped order
 * @throws Problem `not_found` or `invalid` where it may not
 */
export const shipOrder = <A extends object>(
  context: Context,
  orderId: number,
  trackingNumber: string | null,
  answer: (shipped: Order) => A,
): Promise<A> => advance(context, orderId, (order, at) => ship(order, trackingNumber, at), answer);

/**
 * Pending → Processing: `picker` claims the order, which may have been released; with null it is released to nobody in
 * particular.
 * @throws Problem `not_found` or `invalid` where it may not
 */
export const claimOrder = (context: Context, orderId: number, picker: string | null): Promise<Order> =>
  advance(
    context,
    orderId,
    (order, at) => claim(order, picker, at),
    (claimed) => claimed,
  );

/** One order's transition by the warehouse, which works for all accounts. */
const advance = <A extends object>(
  context: Context,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  answer: (after: Order) => A,
): Promise<A> =>
  untilFresh(async () => {
    const before = await findAnyOrder(context.db, orderId);
    const plan = planOrderChange(context, { order_id: orderId, path: "order_id", decide }, before);
    if ("problem" in plan) throw plan.problem;
    return storeOnce(context, plan.writes, answer(plan.result));
  });
