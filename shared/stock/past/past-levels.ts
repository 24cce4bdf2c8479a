/** The stock levels of a product at a moment, from its running totals (`running-totals.ts`). */
import type { Database } from "../../store/dynamodb/database.ts";
import { shardedKey } from "../../store/dynamodb/sharded-counter.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { withoutEnded } from "../holds/current-stock.ts";
import { weekAt } from "../movements/movement-repository.ts";
import type { StockLevel } from "../stock.ts";
import { levelsIn, stockItemsOf } from "../stock-levels.ts";
import { mayHaveCome, readTotals, type Stock } from "./compared-totals.ts";
import { afterTime, noTotals } from "./running-totals.ts";

/**
 * After this many attempts in which the stock changed, the moment's week is no longer compared. If no
 * movement can be missing any more, its movements are added up instead.
 */
const maxComparisons = 3;

/** Stock as it was at a moment. Incoming units have no movements, so their past is not known. */
export type PastLevel = Omit<StockLevel, "incoming">;

/** The moment, and the present time (both ISO 8601). */
export interface Moment {
  readonly at: string;
  readonly now: string;
}

/**
 * The stock of a product at a moment, and the stock records by which it was read. `listed` are those of the
 * centers that are asked for, if they were read just now; by default, it is read in all centers.
 * @throws Busy if the stock changes too often to be read
 */
export function levelsAt(
  db: Database,
  productId: number,
  { at, now }: Moment,
  listed?: Stock,
): Promise<{ readonly stock: Stock; readonly levels: readonly PastLevel[] }> {
  const centers = listed && new Set(listed.map(shardedKey));
  const stockNow = async () =>
    (await stockItemsOf(db, productId)).filter((item) => centers?.has(shardedKey(item)) ?? true);
  let attempt = 0;
  return untilFresh(db, async () => {
    attempt += 1;
    const stock = attempt === 1 && listed !== undefined ? listed : await stockNow();
    const ignoresTotals = attempt > maxComparisons && !mayHaveCome(at, now);
    const past = { db, productId, now, stock, stockNow };
    const totals = await readTotals(past, weekAt(at), { end: afterTime(at), ignoresTotals });
    const levels = levelsIn(stock).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
    return { stock, levels: await withoutEnded(db, levels, at) };
  });
}
