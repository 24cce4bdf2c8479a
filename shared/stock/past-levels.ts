/**
 * The stock levels of a product at a moment, from the running totals of its movements
 * (`movements/running-totals.ts`).
 *
 * Totals are added to movements after these are stored, so they may lack some. The stock records count all
 * movements, week by week. So the totals of a week are compared with them (`countedWeek`). Movements are only
 * added, so if both count as many, they count the same ones. Otherwise:
 *
 * - Records that were read after the totals may count a movement that came in between. So the totals are read
 *   again, and compared with these records.
 * - If they count fewer than records that were read before them, they lack movements (`TotalsBehind`):
 *   reading begins again and adds up all movements instead.
 * - If they count more, the stock has changed meanwhile (`Stale`), and reading begins again. If the week's
 *   last movement is so new that another may have been stored since, the records are read once more, and
 *   must still count as many.
 *
 * For example, totals of 7 movements are read, then records that count 8. If the totals read after that are
 * of 8, they hold the movement that had been missing, and all is well. If they are of 7, they lack one. If
 * they are of 9, another movement came, and the records may not be those of the same moment.
 */
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { isShard, isShardOf, shardedKey } from "../store/dynamodb/sharded-counter.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { Stale, stale } from "../store/dynamodb/writes.ts";
import { withoutEnded } from "./holds/current-stock.ts";
import { weekAt } from "./movements/movement-repository.ts";
import { weeksOf } from "./movements/read-movements.ts";
import {
  addTotals,
  afterTime,
  type CenterTotals,
  noTotals,
  totalsOfWeek,
  type WeekTotals,
} from "./movements/running-totals.ts";
import type { StockLevel } from "./stock.ts";
import { levelsIn, stockItemsOf } from "./stock-levels.ts";

/**
 * Movements are assumed to be stored at most this long after their `at`, in milliseconds. Two may be stored
 * later: the end of a hold (`withoutEnded`), and a movement of a saga that others resume. If the product's
 * stock changes without a pause, a reader misses the latter until its total is stored, within seconds.
 */
const maxLateMs = 300_000;

/** Stock as it was at a moment. Incoming units have no movements, so their past is not known. */
export type PastLevel = Omit<StockLevel, "incoming">;

/** The moment, and the present time (both ISO 8601). */
export interface Moment {
  readonly at: string;
  readonly now: string;
}

/** Stock records with their shards. */
type Stock = readonly RawItem[];

/** How a product's past is read. */
interface Past {
  readonly db: Database;
  readonly productId: number;
  readonly now: string;
  /** Reads the stock records of the centers that are asked for. */
  readonly stockNow: () => Promise<Stock>;
  /** Whether all movements are added up, because their totals lack some. */
  readonly ignoresTotals: boolean;
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
  return untilComplete(async (ignoresTotals, attempt) => {
    const past = { db, productId, now, stockNow, ignoresTotals };
    const keepsChanging = attempt > maxComparisons && !mayHaveCome(at, now);
    const { totals, stock } = keepsChanging
      ? await uncomparedAt(past, at)
      : await totalsAt(past, at, attempt === 1 ? listed : undefined);
    const levels = levelsIn(stock).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
    return { stock, levels: await withoutEnded(db, levels, at) };
  });
}

/**
 * After this many attempts in which the stock changed, the totals of the moment's week are no longer
 * compared: its movements are added up, if none can be missing any more.
 */
const maxComparisons = 3;

/** Whether a movement of a time may have been stored since the present time. */
const mayHaveCome = (time = "", now: string): boolean =>
  time >= new Date(Date.parse(now) - maxLateMs).toISOString();

/** Movements that are counted are missing from the running totals. */
class TotalsBehind extends Stale {
  override readonly name = "TotalsBehind";
}

/**
 * Reads by running totals until they are found to lack movements. Then reads without them, since they may
 * stay behind for as long as the function that stores them fails.
 */
function untilComplete<T>(read: (ignoresTotals: boolean, attempt: number) => Promise<T>): Promise<T> {
  let [ignoresTotals, attempt] = [false, 0];
  return untilFresh(async () => {
    attempt += 1;
    try {
      return await read(ignoresTotals, attempt);
    } catch (error) {
      ignoresTotals ||= error instanceof TotalsBehind;
      throw error;
    }
  });
}

const totalsOf = ({ db, productId, ignoresTotals }: Past, week: number, end?: string): Promise<WeekTotals> =>
  totalsOfWeek(db, { product_id: productId, week }, { end, ignoresTotals });

/** Totals up to a moment, and the stock records that count their movements. */
interface TotalsAt {
  readonly totals: CenterTotals;
  readonly stock: Stock;
}

/** The totals of all movements up to a settled moment, without a comparison for the moment's own week. */
async function uncomparedAt(past: Past, at: string): Promise<TotalsAt> {
  const [week, stock] = [weekAt(at), await past.stockNow()];
  const ofWeek = await totalsOf({ ...past, ignoresTotals: true }, week, afterTime(at));
  return { totals: addTotals(ofWeek.week, await totalsBefore(past, week, stock)), stock };
}

/**
 * The totals of all movements up to a moment. Without `stockBefore`, records that were read before, the
 * moment's own week is read first: mostly, no other is needed.
 */
async function totalsAt(past: Past, at: string, stockBefore: Stock | undefined): Promise<TotalsAt> {
  const [end, nextWeek] = [afterTime(at), weekAt(at) + 1];
  const likely = stockBefore === undefined ? weekAt(at) : lastWeek(stockBefore, nextWeek);
  if (likely === undefined) return { totals: {}, stock: stockBefore ?? [] };
  const ofLikely = await countedWeek(past, likely, stockBefore);
  const week = lastWeek(ofLikely.stock, nextWeek);
  if (week === undefined) return { totals: {}, stock: ofLikely.stock };
  const { whole, stock } = week === likely ? ofLikely : await countedWeek(past, week, ofLikely.stock);
  // While the week was read, the moment's own week may have begun.
  if (lastWeek(stock, nextWeek) !== week) throw stale();
  const isWhole = whole.last === undefined || whole.last < end;
  const part = isWhole ? whole : (partOf(whole, end) ?? (await totalsOf(past, week, end)));
  const earlier = await totalsBefore(past, week, stock, part.earlier ?? whole.earlier);
  return { totals: addTotals(part.week, earlier), stock };
}

/** The totals before a sort key, if all movements of the week were read. */
const partOf = (
  { all, earlier }: WeekTotals,
  end: string,
): Pick<WeekTotals, "week" | "earlier"> | undefined =>
  all && {
    week: all.reduce<CenterTotals>((sum, [key, one]) => (key < end ? addTotals(sum, one) : sum), {}),
    earlier,
  };

/** The last week with movements before `week`. */
const lastWeek = (stock: Stock, week: number): number | undefined =>
  weeksOf(stock)
    .filter(([one]) => one < week)
    .at(-1)?.[0];

/** The totals of a week, and stock records that count the same movements. */
interface CountedWeek {
  readonly whole: WeekTotals;
  readonly stock: Stock;
}

/**
 * Reads the totals of a week and compares them with stock records. `stockBefore` are those that were read
 * before the totals, if any were. The header of this file lists the steps.
 * @throws Stale if movements are stored meanwhile; TotalsBehind if the totals lack some
 */
async function countedWeek(past: Past, week: number, stockBefore?: Stock): Promise<CountedWeek> {
  const whole = await totalsOf(past, week);
  const surplusOver = (stock: Stock) => surplus(whole.week, stock, (one) => one === week);
  if (stockBefore !== undefined && surplusOver(stockBefore).some((more) => more < 0))
    throw new TotalsBehind(`the running totals of product ${past.productId} lack movements`);
  const isSettled = stockBefore !== undefined && !mayHaveCome(whole.last, past.now);
  const stock = isSettled ? stockBefore : await past.stockNow();
  if (surplusOver(stock).every((more) => more === 0)) return { whole, stock };
  if (stockBefore !== undefined) throw stale();
  return countedWeek(past, week, stock);
}

/** The totals of all weeks before `week`; `carried` are those that one of its movements carries. */
async function totalsBefore(
  past: Past,
  week: number,
  stock: Stock,
  carried?: CenterTotals,
): Promise<CenterTotals> {
  const isRight = (totals: CenterTotals) =>
    surplus(totals, stock, (one) => one < week).every((more) => more === 0);
  if (carried !== undefined && isRight(carried)) return carried;
  const previous = lastWeek(stock, week);
  if (previous === undefined) return {};
  const ofPrevious = await countedWeek(past, previous, stock);
  const earlier = await totalsBefore(past, previous, ofPrevious.stock, ofPrevious.whole.earlier);
  return addTotals(ofPrevious.whole.week, earlier);
}

/** By how many movements the totals exceed the counts of some weeks, for each center. */
const surplus = (totals: CenterTotals, stock: Stock, isMeant: (week: number) => boolean): readonly number[] =>
  stock
    .filter((item) => !isShard(item))
    .map((record) => {
      const weeks = weeksOf([record, ...stock.filter((item) => isShardOf(item, record))]);
      const counted = weeks.reduce((sum, [week, count]) => (isMeant(week) ? sum + count : sum), 0);
      return (totals[String(record["distribution_center_id"])] ?? noTotals).count - counted;
    });

/**
 * The totals of a product's movements of all weeks before one. `stock` is its stock records with their shards
 * if they were read just now.
 * @throws Busy if the stock changes too often to be read
 */
export function totalsBeforeWeek(
  db: Database,
  productId: number,
  week: number,
  stock?: Stock,
): Promise<CenterTotals> {
  const stockNow = () => stockItemsOf(db, productId);
  return untilComplete(async (ignoresTotals, attempt) => {
    const past = { db, productId, now: new Date().toISOString(), stockNow, ignoresTotals };
    return totalsBefore(past, week, attempt === 1 && stock !== undefined ? stock : await stockNow());
  });
}
