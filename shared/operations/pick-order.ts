import { type BinContent, binContentLookup, changeBin, parseBinContent } from "../data/bins.ts";
import type { Database } from "../data/database.ts";
import { findAnyOrder } from "../data/orders.ts";
import { getItems } from "../data/reads.ts";
import { transact, untilFresh } from "../data/transact.ts";
import type { Write } from "../data/writes.ts";
import { type Order, type OrderPick, pickPlaceOf } from "../domain/order.ts";
import { pick } from "../domain/order-changes.ts";
import { type FieldError, invalidAt } from "../domain/problem.ts";
import { type ChangeContext, planOrderChange } from "./change-orders.ts";

/** So many units of an order's product, out of a bin. */
export interface PickRequest {
  readonly sku: string;
  readonly location: string;
  readonly bin: string;
  readonly quantity: number;
}

interface Picker extends ChangeContext {
  readonly user_name: string;
}

/**
 * Takes goods out of bins for a Processing order. What is on hand stays, since picked goods count until they are
 * shipped; so stock does not move.
 * @throws Problem `not_found` where there is no such order; `invalid`, with nothing changed, where it is not
 * Processing, or more is picked than is ordered or lies there (`picks.0.quantity` and the like name the place)
 */
export const pickOrder = (
  db: Database,
  { user_name, ...context }: Picker,
  orderId: number,
  requests: readonly PickRequest[],
): Promise<Order> =>
  untilFresh(async () => {
    const before = await findAnyOrder(db, orderId);
    // Of an order that can't be picked that is said, not what its bins lack.
    const taken = before?.status === "Processing" ? await locate(db, before, requests) : [];
    const picks = taken.map(({ content, quantity }): OrderPick => {
      const { product_id, sku, bin_id, location, bin, distribution_center_id } = content;
      const place = { product_id, sku, bin_id, location, bin, distribution_center_id };
      return { ...place, quantity, by: user_name, at: context.now };
    });
    const plan = planOrderChange(
      context,
      { order_id: orderId, path: "order_id", decide: (order, at) => pick(order, picks, at) },
      before,
    );
    if ("problem" in plan) throw plan.problem;
    await transact(db, [...plan.writes, ...takenOut(taken)]);
    return plan.result;
  });

/** Units that are taken, and what the bin held before. */
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
    const left = content === undefined ? 0 : content.quantity - takenFrom(content, taken);
    if (lookup === undefined) errors.push({ path: `${path}.sku`, message: `is not in the order (${sku})` });
    else if (content === undefined || left < quantity)
      errors.push({ path: `${path}.quantity`, message: `is more than lies in ${location}/${bin} (${left})` });
    else taken.push({ content, quantity });
  });
  if (errors.length > 0) throw invalidAt(errors);
  return taken;
}

const takenFrom = (content: BinContent, taken: readonly Taken[]): number =>
  taken
    .filter((other) => pickPlaceOf(other.content) === pickPlaceOf(content))
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** One change for each place, however often it is named: a transaction takes an item once. */
function takenOut(taken: readonly Taken[]): readonly Write[] {
  const places = new Map(taken.map(({ content }) => [pickPlaceOf(content), content]));
  return [...places.values()].map((content) => changeBin(content, -takenFrom(content, taken)));
}
