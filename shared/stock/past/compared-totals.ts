/** Totals that count as many movements as the stock records do; see `running-totals.ts`. */
import type { Database } from "../../store/dynamodb/database.ts";
import type { RawItem } from "../../store/dynamodb/reads.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { Stale } from "../../store/dynamodb/writes.ts";
import { weeksOf } from "../movements/read-movements.ts";
import { recordsWithShards, stockItemsOf } from "../stock-levels.ts";
import {
  addTotals,
  type CenterTotals,
  type Extent,
  noTotals,
  type ProductWeek,
  readWeek,
  type WeekTotals,
} from "./running-totals.ts";

/**
 * Movements are assumed to be stored at most this long after their `at`, in milliseconds. Two may be stored
 * later: the end of a hold (`withoutEnded`), and a movement of a saga that others resume. If the product's
 * stock changes without a pause, a reader misses the latter until its total is stored, within seconds.
 */
const maxLateMs = 300_000;

/** Stock records with their shards. */
export type Stock = readonly RawItem[];

/** A product whose past is read. */
export interface Past {
  readonly db: Database;
  readonly productId: number;
  readonly now: string;
  /** The stock records, as they were first read. */
  readonly stock: Stock;
  /** Reads them again. */
  readonly stockNow: () => Promise<Stock>;
}

/** Whether a movement dated `time` may have been stored after `now`. */
export const mayHaveCome = (time: string, now: string): boolean =>
  time >= new Date(Date.parse(now) - maxLateMs).toISOString();

/**
 * The totals of a product's movements of all weeks before one.
 * @throws Busy if the stock changes too often to be read
 */
export function readTotalsBefore(
  db: Database,
  { product_id: productId, week }: ProductWeek,
): Promise<CenterTotals> {
  const stockNow = () => stockItemsOf(db, productId);
  return untilFresh(db, async () => {
    const stock = await stockNow();
    return readTotals({ db, productId, now: new Date().toISOString(), stock, stockNow }, week - 1);
  });
}

/**
 * The totals through `lastWeek`, limited within that week to `extent`. With `ignoresTotals`, stored totals of
 * that week are neither used nor compared. Adds up weeks, the last one first, until the totals of the earlier
 * ones are known.
 * @throws Stale if movements were stored meanwhile
 */
export async function readTotals(past: Past, lastWeek: number, extent: Extent = {}): Promise<CenterTotals> {
  let sum: CenterTotals = {};
  for (const [week] of weeksOf(past.stock).toReversed()) {
    if (week > lastWeek) continue;
    const isUncompared = extent.ignoresTotals === true && week === lastWeek;
    const read = isUncompared
      ? await readOneWeek(past, week, extent)
      : await comparedWeek(past, week, extent.end);
    sum = addTotals(sum, read.week);
    const { earlier } = read;
    if (earlier !== undefined && surplus(earlier, past.stock, (one) => one < week).every(isZero))
      return addTotals(sum, earlier);
  }
  return sum;
}

const readOneWeek = ({ db, productId }: Past, week: number, extent?: Extent): Promise<WeekTotals> =>
  readWeek(db, { product_id: productId, week }, extent);

/** The totals of a week's movements before a sort key. @throws as `countedWeek` */
async function comparedWeek(
  past: Past,
  week: number,
  end: string | undefined,
): Promise<Pick<WeekTotals, "week" | "earlier">> {
  const whole = await countedWeek(past, week);
  if (end === undefined || whole.last === undefined || whole.last < end) return whole;
  if (whole.all !== undefined) return { week: totalsBefore(end, whole.all), earlier: whole.earlier };
  const part = await readOneWeek(past, week, { end });
  return part.last === undefined ? { week: part.week, earlier: whole.earlier } : part;
}

/**
 * The totals of all movements of a week: of as many as the stock records count. The header of
 * `running-totals.ts` explains the cases.
 * @throws Stale if movements were stored meanwhile
 */
async function countedWeek(past: Past, week: number): Promise<WeekTotals> {
  const surplusOf = (totals: WeekTotals, stock: Stock) => surplus(totals.week, stock, (one) => one === week);
  const carried = await readOneWeek(past, week);
  const lacksSome = surplusOf(carried, past.stock).some((more) => more < 0);
  const totals = lacksSome ? await readOneWeek(past, week, { ignoresTotals: true }) : carried;
  const expectAsMany = (stock: Stock, what: string): void => {
    if (!surplusOf(totals, stock).every(isZero))
      throw new Stale(`product ${past.productId}, week ${week}: ${what}`);
  };
  expectAsMany(past.stock, "its stock and its movements do not count as many");
  if (totals.last !== undefined && mayHaveCome(totals.last, past.now))
    expectAsMany(await past.stockNow(), "its stock changed while its movements were read");
  return totals;
}

/** The totals of a week's movements before a sort key. */
const totalsBefore = (end: string, all: NonNullable<WeekTotals["all"]>): CenterTotals =>
  all.reduce<CenterTotals>((sum, [key, one]) => (key < end ? addTotals(sum, one) : sum), {});

const isZero = (difference: number): boolean => difference === 0;

/** By how many movements the totals exceed the counts of the weeks that are meant, for each center. */
const surplus = (totals: CenterTotals, stock: Stock, isMeant: (week: number) => boolean): readonly number[] =>
  recordsWithShards(stock).map(({ record, shards }) => {
    const weeks = weeksOf([record, ...shards]);
    const counted = weeks.reduce((sum, [week, count]) => (isMeant(week) ? sum + count : sum), 0);
    return (totals[String(record["distribution_center_id"])] ?? noTotals).count - counted;
  });
