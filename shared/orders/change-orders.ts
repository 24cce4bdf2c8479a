import { duplicatePositions } from "../common/duplicates.ts";
import { invalidAt, notFound, Problem } from "../common/problem.ts";
import type { AccountContext, Context } from "../lambda/context.ts";
import { type StockEffect, stockChanges } from "../stock/stock.ts";
import { changeStock } from "../stock/stock-repository.ts";
import { type Outcome, type Plan, storeEach } from "../store/bulk/bulk.ts";
import { noOrder } from "./find-order.ts";
import { departed, type Order, promised } from "./order.ts";
import { movementReasonOf, type OrderDecision } from "./order-transitions.ts";
import { findOrders, saveOrder } from "./storage/order-repository.ts";

/** One order of a call: its id, where the call names it (`order_ids.2`), and what decides how it changes. */
export interface OrderChange {
  readonly order_id: number;
  readonly path: string;
  readonly decide: (before: Order, at: string) => OrderDecision;
}

/**
 * Changes orders of an account, each with the stock that it reserves. An order that changed between reading and writing
 * is read and decided anew.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any order is missing or may not be changed so
 */
export async function changeOrders(
  context: AccountContext,
  changes: readonly OrderChange[],
): Promise<readonly Outcome<Order>[]> {
  refuseRepeats(changes);
  return storeEach(context.db, changes, async (open) => {
    const ids = open.map(({ order_id }) => order_id);
    const orders = await findOrders(context.db, context.account_id, ids);
    return Promise.all(
      open.map(async (change): Promise<Plan<Order>> => {
        const { order_id, path } = change;
        const before = orders.get(order_id);
        return before === undefined
          ? { problem: await noOrder(context, "order_id", String(order_id), path) }
          : planOrderChange(context, change, before);
      }),
    );
  });
}

function refuseRepeats(changes: readonly OrderChange[]): void {
  const duplicates = duplicatePositions(changes.map(({ order_id }) => order_id));
  const errors = changes
    .filter((_, position) => duplicates.has(position))
    .map(({ path, order_id }) => ({ path, message: `names an order twice (${order_id})` }));
  if (errors.length > 0) throw invalidAt(errors);
}

/** The writes of one order's change: the order, its history and its effect on stock. */
export function planOrderChange(
  { actor, now }: Pick<Context, "actor" | "now">,
  { order_id, path, decide }: OrderChange,
  before: Order | undefined,
): Plan<Order> {
  if (before === undefined) {
    const errors = [{ path, message: `names no order (${order_id})` }];
    return { problem: notFound(`There is no order with order_id ${order_id}`, errors) };
  }
  const decision = decide(before, now);
  if ("problem" in decision) return { problem: located(decision.problem, order_id, path) };
  const { after } = decision;
  const saved = saveOrder(before, after, actor, `${path}.order_number`);
  if (after === before) return { result: before, writes: saved };
  const moved = stockChanges(stockEffectOf(before), stockEffectOf(after));
  const cause = { reason: movementReasonOf(after), reference: { order_id }, by: actor, at: now };
  return {
    result: after,
    writes: [...saved, ...changeStock(moved, cause)],
  };
}

/** The rejection with a place in the call. If it names none itself, that is `path`, where the call names the order. */
function located(rejection: Problem, orderId: number, path: string): Problem {
  const { kind, message, details } = rejection;
  const { errors, why } = details;
  if (errors !== undefined || why === undefined) return rejection;
  return new Problem(kind, message, { errors: [{ path, message: `names order ${orderId}, which ${why}` }] });
}

const stockEffectOf = (order: Order): StockEffect => ({
  promised: promised(order),
  departed: departed(order),
});
