import { findAnyOrder, saveOrder } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import type { OrderDecision } from "../domain/orders/order-transitions.ts";
import type { Write } from "../store/writes.ts";
import type { Assignment, JobPlan } from "./worker.ts";

/**
 * What a job comes down to that changes one order and not what it claims of stock: the order with its history, and what
 * goes `along` with it, by the order as it was. An order that may not be changed so by now fails the job with the reason.
 */
export async function applyToOrder(
  { db, by, now }: Pick<Assignment<unknown>, "db" | "by" | "now">,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  along: (before: Order) => Promise<readonly Write[]> = async () => [],
): Promise<JobPlan> {
  const before = await findAnyOrder(db, orderId);
  if (before === undefined) return { failed: `there is no order with order_id ${orderId}` };
  const decision = decide(before, now);
  if ("problem" in decision) return { failed: decision.problem.message };
  return { writes: [...saveOrder(before, decision.after, by), ...(await along(before))] };
}
