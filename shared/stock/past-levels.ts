/**
 * The stock levels of a product at a moment, from the running totals of its movements
 * (`movements/running-totals.ts`).
 *
 * Totals are added to movements after these are stored, so they may lack some. The stock records count all
 * movements, week by week. So the records are read first, then the totals of the moment's week, and both
 * must count as many movements (`countedWeek`). Movements are only added, so there are three cases:
 *
 * - The totals count fewer: they lack movements. The week's movements are added up instead.
 * - They count more: the stock has changed since its records were read, and all begins again.
 * - They count as many: they count the same ones, unless one was stored since the records were read and
 *   stands for one that the totals lack. It is dated by the start of its call. So if the week's last movement
 *   is new, the records are read again, and must still count as many.
 *
 * Each week's totals come with those of all earlier weeks. If these do not count as many as the records, the
 * week before is read in the same way, and so on.
 */
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { isShard, isShardOf, shardedKey } from "../store/dynamodb/sharded-counter.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { stale } from "../store/dynamodb/writes.ts";
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

/**
 * After this many attempts in which the stock changed, the moment's week is no longer compared: its movements
 * are added up, if none can be missing any more.
 */
const maxComparisons = 3;

/** Stock as it was at a moment. Incoming units have no movements, so their past is not known. */
export type PastLevel = Omit<StockLevel, "incoming">;

/** The moment, and the present time (both ISO 8601). */
export interface Moment {
  readonly at: string;
  readonly now: string;
}

/** Stock records with their shards. */
type Stock = readonly RawItem[];

/** A product whose past is read. */
interface Past {
  readonly db: Database;
  readonly productId: number;
  readonly now: string;
  /** The stock records, as they were read first. */
  readonly stock: Stock;
  /** Reads them again. */
  readonly stockNow: () => Promise<Stock>;
}

/** Which movements to total: those of all weeks up to one, and of that one those before a sort key. */
interface Extent {
  readonly lastWeek: number;
  readonly end?: string;
  /** Whether the movements of the last week are added up, and not compared. */
  readonly isAddedUp?: boolean;
}

/** Whether a movement of a time may have been stored since the present time. */
const mayHaveCome = (time: string, now: string): boolean =>
  time >= new Date(Date.parse(now) - maxLateMs).toISOString();

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
  return untilUnchanged(listed, stockNow, async (stock, attempt) => {
    const isAddedUp = attempt > maxComparisons && !mayHaveCome(at, now);
    const extent = { lastWeek: weekAt(at), end: afterTime(at), isAddedUp };
    const totals = await totalsUpTo({ db, productId, now, stock, stockNow }, extent);
    const levels = levelsIn(stock).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
    return { stock, levels: await withoutEnded(db, levels, at) };
  });
}

/**
 * The totals of a product's movements of all weeks before one. `known` are its stock records with their
 * shards if they were read just now.
 * @throws Busy if the stock changes too often to be read
 */
export function totalsBeforeWeek(
  db: Database,
  productId: number,
  week: number,
  known?: Stock,
): Promise<CenterTotals> {
  const stockNow = () => stockItemsOf(db, productId);
  return untilUnchanged(known, stockNow, (stock) => {
    const past = { db, productId, now: new Date().toISOString(), stock, stockNow };
    return totalsUpTo(past, { lastWeek: week - 1 });
  });
}

/** Reads by the stock that is known, and as long as the stock changes meanwhile, by newly read stock. */
function untilUnchanged<T>(
  known: Stock | undefined,
  stockNow: () => Promise<Stock>,
  read: (stock: Stock, attempt: number) => Promise<T>,
): Promise<T> {
  let attempt = 0;
  return untilFresh(async () => {
    attempt += 1;
    return read(attempt === 1 && known !== undefined ? known : await stockNow(), attempt);
  });
}

/** Adds up weeks, the last one first, until the totals of the earlier ones are known. @throws Stale */
async function totalsUpTo(past: Past, { lastWeek, end, isAddedUp = false }: Extent): Promise<CenterTotals> {
  let sum: CenterTotals = {};
  for (const [week] of weeksOf(past.stock).toReversed()) {
    if (week > lastWeek) continue;
    const isUncompared = isAddedUp && week === lastWeek;
    const of = isUncompared ? await totalsOf(past, week, end, true) : await comparedWeek(past, week, end);
    sum = addTotals(sum, of.week);
    const { earlier } = of;
    if (earlier !== undefined && surplus(earlier, past.stock, (one) => one < week).every(isZero))
      return addTotals(sum, earlier);
  }
  return sum;
}

const totalsOf = ({ db, productId }: Past, week: number, end?: string, ignoresTotals = false) =>
  totalsOfWeek(db, { product_id: productId, week }, { end, ignoresTotals });

type Totals = Pick<WeekTotals, "week" | "earlier">;

/** The totals of a week's movements before a sort key. @throws as `countedWeek` */
async function comparedWeek(past: Past, week: number, end?: string): Promise<Totals> {
  const whole = await countedWeek(past, week);
  if (end === undefined || whole.last === undefined || whole.last < end) return whole;
  if (whole.all !== undefined) return { week: totalsBefore(end, whole.all), earlier: whole.earlier };
  const part = await totalsOf(past, week, end);
  return part.last === undefined ? { week: part.week, earlier: whole.earlier } : part;
}

/**
 * The totals of all movements of a week, as many as the stock records count. The header of this file explains
 * the cases.
 * @throws Stale if movements were stored meanwhile
 */
async function countedWeek(past: Past, week: number): Promise<WeekTotals> {
  const surplusOf = (totals: WeekTotals, stock: Stock) => surplus(totals.week, stock, (one) => one === week);
  const carried = await totalsOf(past, week);
  const lacksSome = surplusOf(carried, past.stock).some((more) => more < 0);
  const totals = lacksSome ? await totalsOf(past, week, undefined, true) : carried;
  if (!surplusOf(totals, past.stock).every(isZero)) throw stale();
  if (totals.last !== undefined && mayHaveCome(totals.last, past.now)) {
    if (!surplusOf(totals, await past.stockNow()).every(isZero)) throw stale();
  }
  return totals;
}

/** The totals of those of a week's movements that lie before a sort key. */
const totalsBefore = (end: string, all: NonNullable<WeekTotals["all"]>): CenterTotals =>
  all.reduce<CenterTotals>((sum, [key, one]) => (key < end ? addTotals(sum, one) : sum), {});

const isZero = (difference: number): boolean => difference === 0;

/** By how many movements the totals exceed the counts of some weeks, for each center. */
const surplus = (totals: CenterTotals, stock: Stock, isMeant: (week: number) => boolean): readonly number[] =>
  stock
    .filter((item) => !isShard(item))
    .map((record) => {
      const weeks = weeksOf([record, ...stock.filter((item) => isShardOf(item, record))]);
      const counted = weeks.reduce((sum, [week, count]) => (isMeant(week) ? sum + count : sum), 0);
      return (totals[String(record["distribution_center_id"])] ?? noTotals).count - counted;
    });
