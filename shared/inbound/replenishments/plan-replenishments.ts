import { inBatches } from "../../common/concurrency.ts";
import { type Decision, invalid, type Problem } from "../../common/problem.ts";
import type { Context } from "../../runtime/context.ts";
import { changeIncoming } from "../../stock/incoming-stock.ts";
import { openStock, readStocked } from "../../stock/open-stock.ts";
import { emptyStock } from "../../stock/product-stock.ts";
import { type StockLevel, stockKeyText } from "../../stock/stock.ts";
import type { Plan } from "../../store/bulk/bulk.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { fitsTransaction, transact, untilFresh } from "../../store/dynamodb/transact.ts";
import { type Write, withEffects } from "../../store/dynamodb/writes.ts";
import type { Stored } from "../../store/lists/repository.ts";
import { replenishments, saveReplenishment } from "../inbound-repository.ts";
import { type IncomingChange, incomingChanges, type Replenishment } from "./replenishment.ts";

/** A replenishment to store. It replaces `before` if that exists. */
type ReplenishmentStep = Decision<{
  readonly before?: Stored<Replenishment>;
  readonly after: Replenishment;
}>;

/**
 * Plans how the replenishments of one call are stored, each with its change of incoming stock. No goods have
 * moved, so no movement is written. A center that does not stock a product yet gets a stock record with the
 * first replenishment that announces it; later ones build on that one. `present` makes the records that
 * clients are shown. One round trip.
 *
 * If the writes of a replenishment do not fit one transaction, the missing stock records are stored ahead,
 * with no units, in transactions of their own. So the saga that stores the replenishment changes stock by
 * counts alone. Should the call fail after that, these records remain. `stockedAhead` are their keys.
 */
export async function planReplenishments<R>(
  { db, now }: Pick<Context, "db" | "now">,
  steps: readonly ReplenishmentStep[],
  present: (stored: Replenishment) => R,
  stockedAhead: ReadonlySet<string> = new Set(),
): Promise<readonly Plan<R>[]> {
  const changes = steps.map((step) =>
    "after" in step ? incomingChanges(step.before?.record, step.after) : [],
  );
  const isStocked = await readStocked(db, changes.flat());
  /** The stock records that do not exist yet. The first step that changes one stores it. */
  const missing = new Map<string, StockLevel>();
  const plans = steps.map((step, position): Plan<R> => {
    if ("problem" in step) return step;
    const { before, after } = step;
    const incoming = (changes[position] ?? []).flatMap((change): readonly Write[] => {
      const key = stockKeyText(change);
      const wasStocked = isStocked(change) || stockedAhead.has(key) || missing.has(key);
      if (!wasStocked) missing.set(key, levelOf(after, change));
      return changeOf(after, change, wasStocked);
    });
    const stored = before === undefined ? replenishments.insert(after) : saveReplenishment(before, after);
    return { result: present(after), writes: withEffects(stored, incoming) };
  });
  const areLarge = plans.some((plan) => "writes" in plan && !fitsTransaction(plan.writes));
  if (missing.size === 0 || !areLarge) return plans;
  if (missing.size > maxOpened)
    return plans.map((plan) => ("problem" in plan ? plan : { problem: tooMany() }));
  const prerequisite = () => stockAhead(db, [...missing.values()], now);
  const stocked = await planReplenishments({ db, now }, steps, present, new Set(missing.keys()));
  return stocked.map((plan) => ("problem" in plan ? plan : { ...plan, prerequisite }));
}

/** Stores the stock records of products that centers do not stock yet. */
async function stockAhead(db: Database, levels: readonly StockLevel[], at: string): Promise<void> {
  for (const batch of inBatches(levels, openedTogether))
    await untilFresh(db, async () => {
      const isStocked = await readStocked(db, batch);
      const missing = batch.filter((level) => !isStocked(level));
      await transact(
        db,
        missing.flatMap((level) => openStock(level, at)),
      );
    });
}

/** The change of a product's incoming stock in a center, or its first stock record there. */
function changeOf(after: Replenishment, change: IncomingChange, isStocked: boolean): readonly Write[] {
  const { product_id, distribution_center_id, units } = change;
  if (isStocked) return [changeIncoming(product_id, distribution_center_id, units, after.updated_at)];
  return openStock({ ...levelOf(after, change), incoming: units }, after.updated_at);
}

const levelOf = ({ account_id }: Replenishment, change: IncomingChange): StockLevel =>
  emptyStock({ account_id, ...change }, change);

/** Stock records that are stored together. Each takes two items of a transaction. */
const openedTogether = 45;

/** Maximum stock records that large replenishments of one call open: 23 transactions in sequence. */
const maxOpened = 1000;

const tooMany = (): Problem =>
  invalid(`The centers would begin to keep more than ${maxOpened} products; announce them in several calls`);
