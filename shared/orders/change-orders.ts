/**
 * The one way in which an order changes: it is read, a function of `order-transitions.ts` decides, and one
 * transaction stores the order with its history, its lookups and its effect on stock. An order that changed
 * between the read and the write is read and decided again.
 *
 * `changeOrders` changes orders of one account that a bulk call names, `changeOrder` one order of any
 * account, for the warehouse. `orderChangeWrites` is for flows that store more than one record in a
 * transaction: claims and jobs. Of the calls, only returns go past this file (`announceReturns`): they
 * note what comes back by `saveOrder`, because several returns of a call build on each other and no stock
 * moves.
 */

import type { Placed } from "../common/placed.ts";
import { notFound, Problem } from "../common/problem.ts";
import { outdatedProblem } from "../common/versioned.ts";
import type { AccountContext, Context } from "../runtime/context.ts";
import type { Cause } from "../stock/movements/movement.ts";
import { stockChanges } from "../stock/stock.ts";
import { changeStock } from "../stock/stock-repository.ts";
import { type Outcome, type Receipts, storeEach } from "../store/bulk/bulk.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { type PlannedWrites, type Write, withEffects } from "../store/dynamodb/writes.ts";
import { storeOnce } from "../store/idempotency.ts";
import { anyOwner } from "../store/lists/repository.ts";
import { noOrder } from "./find-order.ts";
import { movementReasonOf, type Order, stockEffectOf } from "./order.ts";
import type { ReservationRequest } from "./order-holds.ts";
import { cancel, type OrderDecision } from "./order-transitions.ts";
import type { OrderRecord } from "./order-view.ts";
import { planOrders } from "./reserve-stock.ts";
import { orders, type StoredOrder } from "./storage/order-repository.ts";
import { saveOrder } from "./storage/save-order.ts";

/** The writes that store `after` in place of `before`. `path` is where the request names the order. */
export function orderChangeWrites(
  { actor: by }: Pick<Context, "actor">,
  stored: StoredOrder,
  after: Order,
  path = "order_id",
): PlannedWrites {
  const moved = stockChanges(stockEffectOf(stored.record), stockEffectOf(after));
  const cause = causeOf(after, by);
  return withEffects(saveOrder(stored, after, by, `${path}.order_number`).writes, changeStock(moved, cause));
}

/** Movements have the time of the order's history entry, by which an archive finds them. */
const causeOf = (after: Order, by: string): Cause => ({
  reason: movementReasonOf(after),
  reference: { order_id: after.order_id },
  by,
  at: after.updated_at,
});

/** One order of a call: its id, its place in the call (`order_ids.2`), and what decides how it changes. */
export interface OrderChange {
  readonly order_id: number;
  readonly path: string;
  /** The order as the call has read it. The first decision is made on it, before any order is read again. */
  readonly read?: StoredOrder;
  readonly decide: (before: Order, at: string) => OrderDecision | Promise<OrderDecision>;
  readonly version?: number | undefined;
  /** What the client requests for the reservation, if it sends the whole order. */
  readonly reservation?: ReservationRequest | undefined;
}

/**
 * Changes orders of an account, each named once, and presents them.
 * @throws Problem `not_found` or `invalid`, with nothing stored, if any order is missing or may not be
 * changed
 */
export async function changeOrders(
  context: AccountContext & Receipts,
  changes: readonly OrderChange[],
): Promise<readonly Outcome<OrderRecord>[]> {
  const known = new Map(changes.flatMap(({ order_id, read }) => (read ? [[order_id, read]] : [])));
  const plan = async (open: readonly OrderChange[]) => {
    const ids = open.map(({ order_id }) => order_id).filter((id) => !known.has(id));
    const found = new Map([...known, ...(await orders.findAll(context.db, context.account_id, ids))]);
    known.clear();
    const decided = await Promise.all(
      open.map(async ({ order_id, path, decide, version, reservation }) => {
        const before = found.get(order_id);
        if (before === undefined)
          return { problem: await noOrder(context, "order_id", String(order_id), path) };
        const { ifMatch, actor: by, now } = context;
        const stale = outdatedProblem(`order ${order_id}`, before.record, { version, path, ifMatch });
        if (stale !== undefined) return { problem: stale };
        const decision = await decide(before.record, now);
        if ("problem" in decision) return { problem: withPath(decision.problem, order_id, path) };
        const { after } = decision;
        const { writes } = saveOrder(before, after, by, `${path}.order_number`);
        return { before: before.record, after, reservation, writes, cause: causeOf(after, by), path };
      }),
    );
    return planOrders(context.db, context.account_id, decided);
  };
  return storeEach(context.db, changes, plan, context);
}

/** The problem with the place where the call names the order, unless the problem has places of its own. */
function withPath(problem: Problem, orderId: number, path: string): Problem {
  const { kind, message, details } = problem;
  const { errors, why } = details;
  if (errors !== undefined || why === undefined) return problem;
  const error = { path, message: `names order ${orderId}, which ${why}`, code: "wrong_status" } as const;
  return new Problem(kind, message, { errors: [error] });
}

/** Cancels the account's orders with these ids and releases their stock. @throws as `changeOrders` */
export const cancelOrders = (
  context: AccountContext & Receipts,
  orderIds: readonly Placed<number>[],
): Promise<readonly Outcome<OrderRecord>[]> =>
  changeOrders(
    context,
    orderIds.map(({ value, path }) => ({ order_id: value, path, decide: cancel })),
  );

/**
 * Changes one order of any account. `decide` may return writes of other records that belong to the change
 * (`extraWrites`).
 * @returns what `answer` makes of the changed order; it is stored for a retry with the same `Idempotency-Key`
 * @throws Problem `not_found` if the order does not exist; the problem that `decide` returns
 */
export const changeOrder = <A extends object>(
  context: Context,
  orderId: number,
  decide: (before: Order, at: string) => Promise<OrderDecision & { readonly extraWrites?: readonly Write[] }>,
  answer: (after: Order) => A,
): Promise<A> =>
  untilFresh(context.db, async () => {
    const before = await orders.find(context.db, anyOwner, orderId);
    if (before === undefined) {
      const message = `names no order (${orderId})`;
      const error = { path: "order_id", message, code: "unknown_reference" } as const;
      throw notFound(`There is no order with order_id ${orderId}`, [error]);
    }
    const decision = await decide(before.record, context.now);
    if ("problem" in decision) throw withPath(decision.problem, orderId, "order_id");
    const { after, extraWrites = [] } = decision;
    const writes = withEffects(orderChangeWrites(context, before, after), extraWrites);
    return storeOnce(context, writes, answer(after));
  });
