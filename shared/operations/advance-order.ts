import { findAnyOrder } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import { claim, type OrderDecision, ship } from "../domain/orders/order-transitions.ts";
import type { Database } from "../store/database.ts";
import { type Commit, transact, untilFresh } from "../store/transact.ts";
import { type ChangeContext, planOrderChange } from "./change-orders.ts";

/**
 * Processing → Shipped: a completely picked order leaves, and takes its goods from on-hand and reserved.
 * @throws Problem `not_found` or `invalid` where it may not
 */
export const shipOrder = (
  db: Database,
  context: ChangeContext,
  orderId: number,
  trackingNumber: string | null,
  commit?: Commit<Order>,
): Promise<Order> => advance(db, context, orderId, (order, at) => ship(order, trackingNumber, at), commit);

/**
 * Pending → Processing: `picker` claims the order, which may have been released; with null it is released to nobody in
 * particular.
 * @throws Problem `not_found` or `invalid` where it may not
 */
export const claimOrder = (
  db: Database,
  context: ChangeContext,
  orderId: number,
  picker: string | null,
): Promise<Order> => advance(db, context, orderId, (order, at) => claim(order, picker, at));

/** One order's transition by the warehouse, which works for all accounts. */
const advance = (
  db: Database,
  context: ChangeContext,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  commit: Commit<Order> = (writes) => transact(db, writes),
): Promise<Order> =>
  untilFresh(async () => {
    const plan = planOrderChange(
      context,
      { order_id: orderId, path: "order_id", decide },
      await findAnyOrder(db, orderId),
    );
    if ("problem" in plan) throw plan.problem;
    await commit(plan.writes, plan.result);
    return plan.result;
  });
