import { replenishments } from "../data/inbound.ts";
import { emptyStock } from "../data/products.ts";
import { changeIncoming, keptStock, openStock, type StockPlace } from "../data/stock.ts";
import { type IncomingChange, incomingChanges, type Replenishment } from "../domain/inbound/replenishment.ts";
import { invalidAt, type Problem } from "../domain/problem.ts";
import type { Plan } from "../store/bulk.ts";
import { fitsTransaction } from "../store/transact.ts";
import type { Write } from "../store/writes.ts";
import type { Context } from "./context.ts";

/** A replenishment to be stored, in place of `before` if it is there already. Or the problem that keeps it out. */
export type ReplenishmentStep =
  | {
      readonly before?: Replenishment;
      readonly after: Replenishment;
      /** Where the request holds it: `data.0`. */
      readonly path: string;
    }
  | { readonly problem: Problem };

/**
 * Plans how the replenishments of one call are stored, each with its change of incoming stock. No goods have moved, so
 * no movement is written. A center that does not keep a product yet begins to keep it with the first replenishment that
 * announces it; later ones build on that one. `present` makes the records that clients are shown. One round trip.
 */
export async function planReplenishments<R>(
  { db }: Pick<Context, "db">,
  steps: readonly ReplenishmentStep[],
  present: (stored: Replenishment) => R,
): Promise<readonly Plan<R>[]> {
  const changed = steps.map((step) => ("after" in step ? incomingChanges(step.before, step.after) : []));
  const isKept = await keptStock(db, changed.flat().map(placeOf));
  /** Products with centers that earlier steps changed: with that step at the latest, the center keeps the product. */
  const opened = new Set<string>();
  return steps.map((step, position) => {
    if ("problem" in step) return step;
    const { before, after, path } = step;
    const changes = changed[position] ?? [];
    const writes = [
      ...(before === undefined ? replenishments.insert(after) : replenishments.save(before, after)),
      ...changes.flatMap((change) =>
        changeOf(after, change, isKept(placeOf(change)) || opened.has(nameOf(change))),
      ),
    ];
    if (!fitsTransaction(writes)) return { problem: tooMany(path) };
    for (const change of changes) opened.add(nameOf(change));
    return { result: present(after), writes };
  });
}

/** The change of a product's incoming stock in a center. Unless the center keeps the product (`kept`), it begins to. */
function changeOf(
  { account_id, updated_at }: Replenishment,
  { center, units, ...product }: IncomingChange,
  kept: boolean,
): readonly Write[] {
  if (kept) return [changeIncoming(product.product_id, center.distribution_center_id, units)];
  return openStock({ ...emptyStock({ account_id, ...product }, center), incoming: units }, updated_at);
}

const placeOf = ({ product_id, center }: IncomingChange): StockPlace => ({
  product_id,
  distribution_center_id: center.distribution_center_id,
});

const nameOf = ({ product_id, center }: IncomingChange): string =>
  `${product_id}@${center.distribution_center_id}`;

/**
 * The writes do not fit one transaction. This can happen where many products move to a center that keeps none of them:
 * each takes two items there, and one in the center where it was.
 */
const tooMany = (path: string): Problem =>
  invalidAt([
    {
      path,
      message: "changes too many products at once; change its lines and its center in calls of their own",
    },
  ]);
