import { type BinContent, binContentLookup, changeBin, parseBinContent } from "../data/bins.ts";
import type { Database } from "../data/database.ts";
import { findAnyOrder } from "../data/orders.ts";
import { getItems } from "../data/reads.ts";
import { transact, untilFresh } from "../data/transact.ts";
import type { Order, OrderPick } from "../domain/order.ts";
import { pick } from "../domain/order-changes.ts";
import { type FieldError, invalidAt } from "../domain/problem.ts";
import { planOrderChange } from "./change-orders.ts";

/** So many units of an order's product, out of a bin. */
export interface PickRequest {
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
}

interface Picker {
  readonly actor: string;
  readonly user_name: string;
  readonly now: string;
}

/**
 * Takes goods out of bins for a Processing order. What is on hand stays, since picked goods count until they are
 * shipped; so stock does not move.
 * @throws Problem `not_found` where there is no such order; `invalid`, with nothing changed, where more is picked than
 * is ordered or lies there
 */
export const pickOrder = (
  db: Database,
  { actor, user_name, now }: Picker,
  orderId: number,
  requests: readonly PickRequest[],
): Promise<Order> =>
  untilFresh(async () => {
    const before = await findAnyOrder(db, orderId);
    const taken = before === undefined ? [] : await locate(db, before, requests);
    const picks = taken.map(({ content, quantity }): OrderPick => {
      const { product_id, sku, bin_id, location, bin, distribution_center_id } = content;
      const place = { product_id, sku, bin_id, location, bin, distribution_center_id };
      return { ...place, quantity, by: user_name, at: now };
    });
    const plan = planOrderChange(
      // The reason is never written, since picking moves no stock.
      { actor, now, reason: "order_updated" },
      { order_id: orderId, path: "order_id", decide: (order, at) => pick(order, picks, at) },
      before,
    );
    if ("problem" in plan) throw plan.problem;
    await transact(db, [...plan.writes, ...takenOut(taken)]);
    return plan.result;
  });

interface Taken {
  readonly content: BinContent;
  readonly quantity: number;
}

/** Finds what lies where the requests say. @throws Problem `invalid` where it is not there, or not enough of it */
async function locate(
  db: Database,
  order: Order,
  requests: readonly PickRequest[],
): Promise<readonly Taken[]> {
  const lookups = requests.map(({ sku, location, bin }) => {
    const item = order.items.find((ordered) => ordered.sku === sku);
    return item === undefined ? undefined : binContentLookup(item.product_id, location, bin);
  });
  const find = await getItems(
    db,
    lookups.filter((lookup) => lookup !== undefined),
  );
  const errors: FieldError[] = [];
  const taken: Taken[] = [];
  requests.forEach(({ sku, location, bin, quantity }, position) => {
    const lookup = lookups[position];
    const path = `picks.${position}`;
    const stored = lookup === undefined ? undefined : find(lookup);
    const content = stored === undefined ? undefined : parseBinContent(stored);
    const earlier = taken.filter(
      (other) => other.content.bin_id === content?.bin_id && other.content.sku === sku,
    );
    const left = (content?.quantity ?? 0) - earlier.reduce((sum, other) => sum + other.quantity, 0);
    if (lookup === undefined) errors.push({ path: `${path}.sku`, message: `is not in the order (${sku})` });
    else if (content === undefined || left < quantity)
      errors.push({ path: `${path}.quantity`, message: `is more than lies in ${location}/${bin} (${left})` });
    else taken.push({ content, quantity });
  });
  if (errors.length > 0) throw invalidAt(errors);
  return taken;
}

/** One change for each bin, however often it is named. */
function takenOut(taken: readonly Taken[]) {
  const bins = new Map<string, Taken>();
  for (const { content, quantity } of taken) {
    const place = `${content.product_id}@${content.bin_id}`;
    bins.set(place, { content, quantity: (bins.get(place)?.quantity ?? 0) + quantity });
  }
  return [...bins.values()].map(({ content, quantity }) => changeBin(content, -quantity));
}
