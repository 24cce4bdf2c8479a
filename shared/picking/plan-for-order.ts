import type { Assignment, JobPlan } from "../jobs/apply-job.ts";
import type { Order } from "../orders/order.ts";
import type { OrderDecision } from "../orders/order-transitions.ts";
import { orderLookup, orders, saveOrder } from "../orders/storage/order-repository.ts";
import type { FindItem } from "../store/dynamodb/reads.ts";
import type { Write } from "../store/dynamodb/writes.ts";

/**
 * The plan of a job that changes one order, but not its effect on stock. The plan writes the order with its history,
 * and what `along` adds, given the order as it was. Where the order may no longer be changed so, the job fails with the
 * reason.
 */
export function planForOrder(
  { by, now }: Pick<Assignment<unknown>, "by" | "now">,
  find: FindItem,
  orderId: number,
  decide: (before: Order, at: string) => OrderDecision,
  along: (before: Order) => readonly Write[] = () => [],
): JobPlan {
  const item = find(orderLookup(orderId));
  if (item === undefined) return { failed: `there is no order with order_id ${orderId}` };
  const before = orders.parse(item);
  const decision = decide(before, now);
  if ("problem" in decision) return { failed: decision.problem.message };
  return { writes: [...saveOrder(before, decision.after, by), ...along(before)] };
}
