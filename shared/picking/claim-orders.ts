import { orderChangeWrites } from "../orders/change-orders.ts";
import type { Order } from "../orders/order.ts";
import { isBeingPickedBy } from "../orders/order-status.ts";
import { claim } from "../orders/order-transitions.ts";
import {
  beforeOldest,
  findReadableOrders,
  ordersOfPicker,
  pendingOrders,
  type ReadWork,
  releasedOrders,
} from "../orders/storage/order-work.ts";
import type { Context } from "../runtime/context.ts";
import { Busy } from "../store/dynamodb/retry.ts";
import { commit, untilFresh } from "../store/dynamodb/transact.ts";
import { rejectionOf, SagaInProgress } from "../store/dynamodb/writes.ts";

/** The context of a user who picks; `picker` is the user name. */
interface Claimant extends Context {
  readonly picker: string;
}

/**
 * The orders that a picker has to pick, at most `limit`: first the picker's own open orders, oldest first,
 * then released orders, then the oldest Pending ones. The latter two become the picker's.
 *
 * No order is claimed by two pickers: if another claim was faster, this one continues with the next order. If
 * the call fails midway, the orders claimed by then are the picker's, and the next call begins with them.
 * @throws Busy, unless the picker has orders by then, which are returned
 */
export async function ordersToPick(claimant: Claimant, limit: number): Promise<readonly Order[]> {
  const { db } = claimant;
  const entries = await ordersOfPicker(db, claimant.picker, maxOpen);
  const found = await findReadableOrders(
    db,
    entries.map(({ order_id }) => order_id),
  );
  const own = [...found].map(([id, { record }]) => [id, record] as const);
  const open = own.filter(([, order]) => isBeingPickedBy(order, claimant.picker));
  const orders = new Map(open.slice(0, limit));
  try {
    await claimInto(orders, releasedOrders, claimant, limit);
    await claimInto(orders, pendingOrders, claimant, limit);
  } catch (error) {
    if (!(error instanceof Busy) || orders.size === 0) throw error;
  }
  return [...orders.values()];
}

/** Maximum index entries of one picker to read. The index lags: some of the orders may be picked by now. */
const maxOpen = 200;

/**
 * Maximum orders claimed in one transaction. It holds 3.5 MB; a waiting order takes 180 KB at most, and its
 * latest changes 50 KB.
 */
const maxClaims = 15;

/** Claims waiting orders, oldest first, and adds them to `orders` until there are `limit` or none waits. */
async function claimInto(
  orders: Map<number, Order>,
  waiting: ReadWork,
  claimant: Claimant,
  limit: number,
): Promise<void> {
  let after = beforeOldest;
  while (orders.size < limit) {
    const wanted = Math.min(limit - orders.size, maxClaims);
    const entries = await waiting(claimant.db, after, wanted);
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.work_at;
    const ids = entries.map(({ order_id }) => order_id).filter((id) => !orders.has(id));
    for (const order of await claimWaiting(claimant, ids)) orders.set(order.order_id, order);
    if (entries.length < wanted) return;
  }
}

/**
 * Claims those orders that may still be claimed. An order that a saga is storing is left to a later call, and
 * an unreadable one until it is repaired.
 */
async function claimWaiting(claimant: Claimant, ids: readonly number[]): Promise<readonly Order[]> {
  const claimed = await claimTogether(claimant, ids);
  if (claimed !== "in-saga") return claimed;
  if (ids.length === 1) return [];
  const oneByOne: Order[] = [];
  for (const id of ids) oneByOne.push(...(await claimWaiting(claimant, [id])));
  return oneByOne;
}

/**
 * Claims those orders that may still be claimed in one transaction. They usually belong to few accounts, so
 * separate transactions would collide on the counters of these accounts. `in-saga` means that nothing was
 * claimed, because a saga is storing one of the orders.
 */
const claimTogether = (
  { picker, ...context }: Claimant,
  ids: readonly number[],
): Promise<readonly Order[] | "in-saga"> =>
  untilFresh(context.db, async () => {
    const { db, now } = context;
    const found = await findReadableOrders(db, ids);
    const claims = [...found.values()].flatMap((before) => {
      const decision = claim(before.record, picker, now);
      if ("problem" in decision) return [];
      const { after } = decision;
      return [{ after, writes: orderChangeWrites(context, before, after) }];
    });
    const failed = await commit(
      db,
      claims.flatMap(({ writes }) => writes),
    );
    const rejection = failed && rejectionOf(failed);
    if (rejection instanceof SagaInProgress) return "in-saga";
    if (rejection !== undefined) throw rejection;
    return claims.map(({ after }) => after).filter((order) => isBeingPickedBy(order, picker));
  });
