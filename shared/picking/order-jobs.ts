/** The jobs that change one order. */
import { notFound } from "../common/problem.ts";
import type { JobPlan } from "../jobs/apply.ts";
import type { QueuedJob } from "../jobs/job-repository.ts";
import { orderChangeWrites } from "../orders/change-orders.ts";
import type { Order } from "../orders/order.ts";
import type { OrderDecision } from "../orders/order-transitions.ts";
import { orderLookup, orders } from "../orders/storage/order-repository.ts";
import { freeSerials } from "../serials/serial-repository.ts";
import { putBack } from "../stock/bins/bin-repository.ts";
import type { FindItem } from "../store/dynamodb/reads.ts";
import { type Write, withEffects } from "../store/dynamodb/writes.ts";
import { naming } from "../store/layouts/unreadable.ts";

/**
 * The plan of a job that changes one order: the writes of the change, and those that `extraWrites` adds,
 * given the order as it was. If the order may not be changed, the job fails with the reason.
 * @throws Unreadable if the order is damaged; the job stays queued until it is repaired
 */
export function planForOrder(
  { by: actor, payload: { order_id } }: QueuedJob<{ readonly order_id: number }>,
  find: FindItem,
  decide: (before: Order) => OrderDecision,
  extraWrites: (before: Order) => readonly Write[] = () => [],
): JobPlan {
  const item = find(orderLookup(order_id));
  if (item === undefined) return { problem: notFound(`there is no order with order_id ${order_id}`) };
  const stored = naming(`order ${order_id}`, () => orders.read(item));
  const { record: before } = stored;
  const decision = decide(before);
  if ("problem" in decision) return decision;
  const changed = orderChangeWrites({ actor }, stored, decision.after);
  return { writes: withEffects(changed, extraWrites(before)) };
}

/**
 * Puts back what was picked for the order. Its serials can be picked again; only the order itself could free
 * them.
 */
export const putBackPicks = ({ order_id, picks }: Order): readonly Write[] =>
  picks.flatMap((pick) => [
    putBack(pick),
    ...freeSerials(pick.product_id, pick.serials, order_id).map((write) => ({
      ...write,
      ignoresLocks: true,
    })),
  ]);
