/** Adds running totals to movements after they are stored; see `running-totals.ts`. */

import { forEachConcurrently } from "../../common/concurrency.ts";
import { dayOf } from "../../common/times.ts";
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import type { RawItem } from "../../store/dynamodb/reads.ts";
import { isTemporary } from "../../store/dynamodb/temporary.ts";
import { type ItemChange, inCurrentLayout } from "../../streams/change.ts";
import { weekAt } from "../movements/movement-repository.ts";
import { weeksOf } from "../movements/read-movements.ts";
import { stockItemsBetween, stockItemsOf } from "../stock-levels.ts";
import { readTotalsBefore, untilUnchanged } from "./compared-totals.ts";
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
    const inOrder = changed.toSorted((left, right) => (left.key.sk < right.key.sk ? -1 : 1));
    return { product_id, week, changed: inOrder };
  });
  let totals = 0;
  await forEachConcurrently(withNeighbors(db, weeks), async (one) => {
    const { product_id: product, week, changed, hasManyNeighbors, stockOf } = one;
    const [from = "0", settledAfter = from] = [changed[0]?.key.sk, changed.at(-1)?.key.sk];
    try {
      const all = hasManyNeighbors ? allMovements(db, one, await stockOf(product)) : undefined;
      const range = { from, expected: changed.length, settledAfter, all };
      totals += await totalWeek(db, product, week, range, stockOf);
      if (week < weekAt(now)) totals += await totalProduct(db, product, week + 1);
    } catch (error) {
      if (isTemporary(error)) throw error;
      // An unreadable movement hides the totals of its own product only.
      logger.error("movements not totalled", { product_id: product, week, error });
    }
  });
  return { weeks: weeks.length, totals };
}

interface ChangedWeek extends ProductWeek {
  /** By the times of the movements. */
  readonly changed: readonly ItemChange[];
}

/** All movements of a week, oldest first, if its changes stored as many as stock records count. */
function allMovements(
  db: Database,
  { week, changed }: ChangedWeek,
  stock: readonly RawItem[] = [],
): readonly RawItem[] | undefined {
  const [, counted] = weeksOf(stock).find(([one]) => one === week) ?? [];
  const stored = new Map(changed.map((change) => [change.key.sk, inCurrentLayout(db, change).after]));
  const items = [...stored.values()].filter((item) => item !== undefined);
  return items.length === counted && changed.every(({ before }) => before === undefined) ? items : undefined;
}

/** Whether a movement is stored or dropped, or has other units; a change of its totals is not. */
const changesUnits = ({ before, after }: ItemChange): boolean =>
  before?.["on_hand"] !== after?.["on_hand"] || before?.["reserved"] !== after?.["reserved"];

const isRecent = ({ key }: ItemChange, now: string): boolean =>
  dayOf(key.sk.slice(0, 10)) >= dayOf(now) - maxAgeDays;

/**
 * Totals all movements of a product from a week on again. Returns the number of movements that were changed.
 */
export async function totalProduct(db: Database, productId: number, firstWeek = 0): Promise<number> {
  let totals = 0;
  for (const [week] of weeksOf(await stockItemsOf(db, productId)))
    if (week >= firstWeek) totals += await totalWeek(db, productId, week, wholeWeek);
  return totals;
}

/** The known movements of the week and the known stock count in the first attempt alone. */
const totalWeek = (
  db: Database,
  productId: number,
  week: number,
  range: TotalledRange,
  stockOf?: StockReader,
): Promise<number> =>
  untilUnchanged(
    db,
    { all: range.all, stockOf },
    async () => ({ all: undefined, stockOf: undefined }),
    (known) =>
      storeTotals(db, { product_id: productId, week }, { ...range, all: known.all }, async () =>
        readTotalsBefore(db, productId, week, await known.stockOf?.(productId)),
      ),
  );

/** Reads the stock records of a product and their shards; undefined if they have to be read alone. */
type StockReader = (productId: number) => Promise<readonly RawItem[] | undefined>;

/** Products whose stock is read together, for two units: consecutive ids, which are in one block. */
const neighbors = 25;

/** From this many neighbors on, reading their stock costs less than reading the movements of each. */
const manyNeighbors = 4;

/** Groups neighbors, whose stock is read by one query. */
const withNeighbors = <T extends ProductWeek>(db: Database, weeks: readonly T[]) =>
  [...Map.groupBy(weeks, ({ product_id }) => Math.floor(product_id / neighbors)).values()].flatMap(
    (group) => {
      const products = new Set(group.map(({ product_id }) => product_id));
      const hasManyNeighbors = products.size >= manyNeighbors;
      const stockOf = stockReader(db, products);
      return group.map((one) => ({ ...one, hasManyNeighbors, stockOf }));
    },
  );

/** Reads the stock of these products by one query, when it is needed. */
function stockReader(db: Database, products: ReadonlySet<number>): StockReader {
  let read: Promise<readonly RawItem[] | undefined> | undefined;
  return async (productId) => {
    // One unreadable record must not keep the others from being totalled.
    read ??= stockItemsBetween(db, Math.min(...products), Math.max(...products)).catch(() => undefined);
    return (await read)?.filter(({ sk }) => Number.parseInt(String(sk), 10) === productId);
  };
}
