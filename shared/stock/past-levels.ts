/**
 * The stock levels of a product at a moment, from the running totals of its movements
 * (`movements/running-totals.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { stale } from "../store/dynamodb/writes.ts";
import { shardedKey } from "../store/sharded-counter.ts";
import { weekAt } from "./movements/movement-repository.ts";
import { type Week, weeksOf } from "./movements/read-movements.ts";
import {
  addTotals,
  afterTime,
  type CenterTotals,
  noTotals,
  totalsOfWeek,
  type WeekTotals,
} from "./movements/running-totals.ts";
import type { StockLevel } from "./stock.ts";
import { levelsIn, stockItemsOf } from "./stock-repository.ts";

/**
 * How late a movement may be stored, in milliseconds after its time, without a reader missing it. Only a saga
 * that another call or a schedule resumes takes longer; it is missed at most until totals follow, within
 * seconds, and only while the product's stock changes continuously.
 */
const maxLateMs = 300_000;

/** Stock as it was at a moment. Incoming units have no movements, so their past is not known. */
export type PastLevel = Omit<StockLevel, "incoming">;

/** The moment, and the present time (both ISO 8601). */
export interface Moment {
  readonly at: string;
  readonly now: string;
}

const isSettled = ({ at, now }: Moment): boolean => Date.parse(at) < Date.parse(now) - maxLateMs;

/** How a product's movements are read. */
interface Reading {
  readonly db: Database;
  readonly productId: number;
  /** Whether movements that are stored meanwhile are too late to matter. */
  readonly settled: boolean;
  /**
   * Whether all movements are added up, instead of those behind the last one that carries totals: once totals
   * are found to lack movements, for they may do so as long as the function that stores them fails.
   */
  ignoresTotals: boolean;
}

/**
 * The stock of a product at a moment, in each center of `stock`: its stock records with their shards, as read
 * just now.
 * @throws Busy if the stock changes too often to be read
 */
export function levelsAt(
  db: Database,
  productId: number,
  stock: readonly RawItem[],
  moment: Moment,
): Promise<readonly PastLevel[]> {
  const { at, now } = moment;
  const keys = new Set(stock.map(shardedKey));
  const again = async () => (await stockItemsOf(db, productId)).filter((item) => keys.has(shardedKey(item)));
  let read: readonly RawItem[] | undefined = stock;
  const reading: Reading = { db, productId, settled: isSettled(moment), ignoresTotals: false };
  return untilFresh(async () => {
    const items = read ?? (await again());
    read = undefined;
    const { totals, last } = await totalsBefore(reading, items, weekAt(at) + 1, afterTime(at));
    // While stock changes, a movement stored just now could be counted in place of one that is missing.
    const isChanging = last !== undefined && !isSettled({ at: last, now });
    if (isChanging && !reading.settled && !isDeepStrictEqual(weeksOf(await again()), weeksOf(items)))
      throw stale();
    return levelsIn(items).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
  });
}

/**
 * The totals of a product's movements of all weeks before one.
 * @throws Busy if the stock changes too often to be read
 */
export function totalsBeforeWeek(db: Database, productId: number, week: number): Promise<CenterTotals> {
  const reading: Reading = { db, productId, settled: false, ignoresTotals: false };
  return untilFresh(async () => {
    const { totals } = await totalsBefore(reading, await stockItemsOf(db, productId), week);
    return totals;
  });
}

/**
 * The totals of the movements of all weeks before `week` with sort keys before `end`, and the time of the
 * last movement of these weeks. Weeks are added from the last one on, until one carries the totals of all
 * before it.
 */
async function totalsBefore(
  reading: Reading,
  items: readonly RawItem[],
  week: number,
  end?: string,
): Promise<{ readonly totals: CenterTotals; readonly last?: string | undefined }> {
  const weeks = weeksOf(items).filter(([one]) => one < week);
  let totals: CenterTotals = {};
  let last: string | undefined;
  for (let latest = weeks.pop(); latest !== undefined; latest = weeks.pop()) {
    const whole = await wholeWeek(reading, items, latest);
    last ??= whole.last?.split("#")[0];
    totals = addTotals(totals, await partOf(reading, whole, latest, end));
    if (whole.earlier !== undefined && surplus(whole.earlier, items, weeks) === 0)
      return { totals: addTotals(totals, whole.earlier), last };
  }
  return { totals, last };
}

/**
 * The totals of a week. They may include movements that were stored after `items` were read. For a moment
 * that is not settled yet, such a surplus could hide a movement that is missing.
 * @throws Stale if they may not include all movements of the week
 */
async function wholeWeek(reading: Reading, items: readonly RawItem[], week: Week): Promise<WeekTotals> {
  const whole = await totalsOf(reading, week);
  const more = surplus(whole.week, items, [week]);
  if (more < 0) reading.ignoresTotals = true;
  if (more < 0 || (more > 0 && !reading.settled)) throw stale();
  return whole;
}

/** The totals of a week's movements before `end`. */
async function partOf(
  reading: Reading,
  { week, all, last }: WeekTotals,
  of: Week,
  end: string | undefined,
): Promise<CenterTotals> {
  if (end === undefined || last === undefined || last < end) return week;
  if (all === undefined) return (await totalsOf(reading, of, end)).week;
  return all.reduce<CenterTotals>((sum, [key, one]) => (key < end ? addTotals(sum, one) : sum), {});
}

const totalsOf = (
  { db, productId, ignoresTotals }: Reading,
  [week]: Week,
  end?: string,
): Promise<WeekTotals> => totalsOfWeek(db, { product_id: productId, week }, { end, ignoresTotals });

/** How many more movements the totals have than these weeks, by the counts of stock records. */
function surplus(totals: CenterTotals, items: readonly RawItem[], weeks: readonly Week[]): number {
  const centers = new Set(items.flatMap((item) => item["distribution_center_id"] ?? []));
  const counted = weeks.reduce((sum, [, count]) => sum + count, 0);
  return [...centers].reduce<number>(
    (sum, center) => sum + (totals[String(center)] ?? noTotals).count,
    -counted,
  );
}
