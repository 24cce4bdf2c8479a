import type { Plan } from "../data/bulk.ts";
import type { Database } from "../data/database.ts";
import { replenishments } from "../data/inbound.ts";
import { emptyStock } from "../data/products.ts";
import { changeIncoming, keptStock, openStock, type StockPlace } from "../data/stock.ts";
import type { Write } from "../data/writes.ts";
import type { Problem } from "../domain/problem.ts";
import { type IncomingChange, incomingChanges, type Replenishment } from "../domain/replenishment.ts";

/** A replenishment that is to be stored, in place of `before` where it is there already; or why it may not. */
export type ReplenishmentStep =
  | { readonly before?: Replenishment; readonly after: Replenishment }
  | { readonly problem: Problem };

/**
 * What storing the replenishments of one call comes down to: each with what it changes of incoming stock. Nothing has
 * moved, so no movement is written. A center that does not keep a product yet begins to with the first that announces
 * it; the later ones build on that. One round trip.
 */
export async function planReplenishments(
  db: Database,
  steps: readonly ReplenishmentStep[],
): Promise<readonly Plan<Replenishment>[]> {
  const changed = steps.map((step) => ("after" in step ? incomingChanges(step.before, step.after) : []));
  const isKept = await keptStock(db, changed.flat().map(placeOf));
  const opened = new Set<string>();
  const incoming = (change: IncomingChange, { account_id, updated_at }: Replenishment): readonly Write[] => {
    const { center, units, ...product } = change;
    const place = `${change.product_id}@${center.distribution_center_id}`;
    if (isKept(placeOf(change)) || opened.has(place)) {
      return [changeIncoming(change.product_id, center.distribution_center_id, units)];
    }
    opened.add(place);
    return openStock({ ...emptyStock({ account_id, ...product }, center), incoming: units }, updated_at);
  };
  return steps.map((step, position) => {
    if ("problem" in step) return step;
    const { before, after } = step;
    const stored = before === undefined ? replenishments.insert(after) : [replenishments.save(before, after)];
    const stock = (changed[position] ?? []).flatMap((change) => incoming(change, after));
    return { result: after, writes: [...stored, ...stock] };
  });
}

const placeOf = ({ product_id, center }: IncomingChange): StockPlace => ({
  product_id,
  distribution_center_id: center.distribution_center_id,
});
