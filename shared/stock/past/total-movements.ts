/** Adds running totals to movements after they are stored; see `running-totals.ts`. */

import { forEachConcurrently } from "../../common/concurrency.ts";
import { dayOf } from "../../common/times.ts";
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { isTemporary } from "../../store/dynamodb/temporary.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import type { ItemChange } from "../../streams/change.ts";
import { weekAt } from "../movements/movement-repository.ts";
import { weeksOf } from "../movements/read-movements.ts";
import { stockItemsOf } from "../stock-levels.ts";
import { readTotalsBefore } from "./compared-totals.ts";
import { type ProductWeek, type TotalledRange, wholeWeek } from "./running-totals.ts";
import { storeTotals } from "./store-totals.ts";

/**
 * Movements older than this many days change only if an operator drops them, and then the command itself adds
 * the totals again.
 */
const maxAgeDays = 30;

/**
 * Adds totals to the movements that are stored, and corrects those of later movements. Changes may be
 * delivered again.
 */
export async function totalChanges(
  db: Database,
  changes: readonly ItemChange[],
  now: string,
): Promise<{ readonly weeks: number; readonly totals: number }> {
  const meant = changes.filter((change) => changesUnits(change) && isRecent(change, now));
  const weeks = [...Map.groupBy(meant, ({ key }) => key.pk)].map(([pk, changed]) => {
    const [, product_id = 0, week = 0] = pk.split("#").map(Number);
    const [from = "0", ...others] = changed.map(({ key }) => key.sk).toSorted();
    return { product_id, week, from, expected: changed.length, settledAfter: others.at(-1) ?? from };
  });
  let totals = 0;
  await forEachConcurrently(weeks, async ({ product_id, week, ...range }) => {
    try {
      totals += await totalWeek(db, { product_id, week }, range);
      if (week < weekAt(now)) totals += await totalProduct(db, product_id, week + 1);
    } catch (error) {
      if (isTemporary(error)) throw error;
      // An unreadable movement hides the totals of its own product only.
      logger.error("movements not totalled", { product_id, week, error });
    }
  });
  return { weeks: weeks.length, totals };
}

/** Whether a movement is stored, dropped, or has other units. A change of its totals does not count. */
const changesUnits = ({ before, after }: ItemChange): boolean =>
  before?.["on_hand"] !== after?.["on_hand"] || before?.["reserved"] !== after?.["reserved"];

const isRecent = ({ key }: ItemChange, now: string): boolean =>
  dayOf(key.sk.slice(0, 10)) >= dayOf(now) - maxAgeDays;

/** Recomputes the totals of a product's movements from a week on. Returns the number of changed movements. */
export async function totalProduct(db: Database, productId: number, firstWeek = 0): Promise<number> {
  let totals = 0;
  for (const [week] of weeksOf(await stockItemsOf(db, productId)))
    if (week >= firstWeek) totals += await totalWeek(db, { product_id: productId, week }, wholeWeek);
  return totals;
}

const totalWeek = (db: Database, of: ProductWeek, range: TotalledRange): Promise<number> =>
  untilFresh(db, () => storeTotals(db, of, range, () => readTotalsBefore(db, of)));
