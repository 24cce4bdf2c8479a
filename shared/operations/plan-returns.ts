import { returns } from "../data/inbound.ts";
import { findOrders, saveOrder } from "../data/orders.ts";
import { announcedReturn, type OrderReturn, type ReturnInput, takeBack } from "../domain/inbound/return.ts";
import { invalidAt } from "../domain/problem.ts";
import type { Plan } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";

/** A return of a create call that has been given its id. */
interface NewReturn {
  readonly input: ReturnInput;
  readonly id: number;
  /** Creation time, ISO 8601. */
  readonly at: string;
  /** Where the request holds it: `data.0`. */
  readonly path: string;
}

/**
 * What storing the returns of one call comes down to: each with what its order knows of it. Returns of one order build
 * on each other, in the order of the call. One round trip.
 */
export async function planReturns(
  db: Database,
  { account_id, actor }: { readonly account_id: number; readonly actor: string },
  drafts: readonly NewReturn[],
): Promise<readonly Plan<OrderReturn>[]> {
  const ids = drafts.map(({ input }) => input.order_id);
  const orders = new Map(await findOrders(db, account_id, ids));
  return drafts.map(({ input: { order_id, items }, id, at, path }) => {
    const before = orders.get(order_id);
    if (before === undefined) {
      const message = `is not an order of the account (${order_id})`;
      return { problem: invalidAt([{ path: `${path}.order_id`, message }]) };
    }
    const decision = takeBack(before, items, path, at);
    if ("errors" in decision) return { problem: invalidAt(decision.errors) };
    const { after, lines } = decision;
    orders.set(order_id, after);
    const result = announcedReturn(after, lines, { return_id: id, at });
    return { result, writes: [...returns.insert(result), ...saveOrder(before, after, actor)] };
  });
}
