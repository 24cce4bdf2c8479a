import { findAnyOrder, saveOrder } from "../data/orders.ts";
import type { Order } from "../domain/orders/order.ts";
import type { OrderDecision } from "../domain/orders/order-transitions.ts";
import type { Write } from "../store/writes.ts";
import type { Assignment, JobPlan } from "./apply-job.ts";

/**
 * The plan of a job that changes one order, but not its effect on stock. The plan writes the order with its history,
 * and what `along` adds, given the order as it was. Where the order may no longer be changed so, the job fails with the
 * reason.
 */
export async function applyToOrder(
  { db, by, now }: Pick<Assignment<unknown>, "db" | "by" | "now">,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  along: (before: Order) => readonly Write[] = () => [],
): Promise<JobPlan> {
  const before = await findAnyOrder(db, orderId);
  if (before === undefined) return { failed: `there is no order with order_id ${orderId}` };
  const decision = decide(before, now);
  if ("problem" in decision) return { failed: decision.problem.message };
  return { writes: [...saveOrder(before, decision.after, by), ...along(before)] };
}
