/**
 * The stock levels of a product at a moment, from the running totals of its movements
 * (`movements/running-totals.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { untilFresh } from "../store/dynamodb/transact.ts";
import { Stale, stale } from "../store/dynamodb/writes.ts";
import { isShard, shardedKey } from "../store/sharded-counter.ts";
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

/**
 * The stock of a product at a moment, in each center of `stock`: its stock records with their shards, as read
 * just now.
 * @throws Busy if the stock changes too often to be read
 */
export async function levelsAt(
  db: Database,
  productId: number,
  stock: readonly RawItem[],
  { at, now }: Moment,
): Promise<readonly PastLevel[]> {
  const centers = new Set(stock.map(shardedKey));
  const again = async () =>
    (await stockItemsOf(db, productId)).filter((item) => centers.has(shardedKey(item)));
  let read: readonly RawItem[] | undefined = stock;
  return untilComplete(async (ignoresTotals, attempt) => {
    const items = read ?? (await again());
    read = undefined;
    const counted = countedIn(items);
    const past = { productId, counted, ignoresTotals };
    const isAddedUp = attempt > maxComparisons && !mayHaveCome(at, now);
    const { totals, last } = await (isAddedUp ? addedUpTo : totalsAt)(db, past, at);
    // A movement stored meanwhile could be counted in place of one that the totals lack.
    if (mayHaveCome(last, now) && !isDeepStrictEqual(countedIn(await again()), counted)) throw stale();
    return levelsIn(items).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
  });
}

/** If the stock changed in so many reads, the movements of a settled moment's week are added up. */
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

/** The number of movements of each week, by center, as stock records count them. */
type Counted = ReadonlyMap<string, ReadonlyMap<number, number>>;

const countedIn = (stock: readonly RawItem[]): Counted =>
  new Map(
    [...Map.groupBy(stock, shardedKey)].flatMap(([, items]) =>
      items
        .filter((item) => !isShard(item))
        .map((record) => [String(record["distribution_center_id"]), new Map(weeksOf(items))] as const),
    ),
  );

interface Past {
  readonly productId: number;
  readonly counted: Counted;
  /** Whether all movements are added up, instead of those behind the last one that carries totals. */
  readonly ignoresTotals: boolean;
}

const totalsOf = (
  db: Database,
  { productId, ignoresTotals }: Past,
  week: number,
  end?: string,
): Promise<WeekTotals> => totalsOfWeek(db, { product_id: productId, week }, { end, ignoresTotals });

/** Totals up to a moment, and the key of its week's last movement if a new one may be counted instead. */
interface TotalsAt {
  readonly totals: CenterTotals;
  readonly last?: string | undefined;
}

/** The totals of all movements up to a settled moment: all are stored, so those of its week need no count. */
async function addedUpTo(db: Database, past: Past, at: string): Promise<TotalsAt> {
  const week = weekAt(at);
  const own = await totalsOf(db, { ...past, ignoresTotals: true }, week, afterTime(at));
  return { totals: addTotals(own.week, await totalsBefore(db, past, week, undefined)) };
}

/** The totals of all movements up to a moment. */
async function totalsAt(db: Database, past: Past, at: string): Promise<TotalsAt> {
  const week = weekAt(at);
  const latest = lastWeek(past.counted, week + 1);
  if (latest === undefined) return { totals: {} };
  const whole = await wholeWeek(db, past, latest);
  const end = afterTime(at);
  const isWhole = latest < week || whole.last === undefined || whole.last < end;
  const part = isWhole ? whole : (partOf(whole, end) ?? (await totalsOf(db, past, week, end)));
  const earlier = await totalsBefore(db, past, latest, part.earlier ?? whole.earlier);
  return { totals: addTotals(part.week, earlier), last: whole.last };
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
const lastWeek = (counted: Counted, week: number): number | undefined =>
  [...counted.values()]
    .flatMap((weeks) => [...weeks.keys()])
    .filter((one) => one < week)
    .toSorted((left, right) => right - left)[0];

/** The totals of a week. @throws Stale unless they include as many movements as are counted */
async function wholeWeek(db: Database, past: Past, week: number): Promise<WeekTotals> {
  const whole = await totalsOf(db, past, week);
  const differences = surplus(whole.week, past.counted, (one) => one === week);
  if (differences.some((more) => more < 0))
    throw new TotalsBehind(`the running totals of product ${past.productId} lack movements`);
  if (differences.some((more) => more > 0)) throw stale();
  return whole;
}

/** The totals of all weeks before `week`; `carried` are those that one of its movements carries. */
async function totalsBefore(
  db: Database,
  past: Past,
  week: number,
  carried: CenterTotals | undefined,
): Promise<CenterTotals> {
  const isRight = (totals: CenterTotals) =>
    surplus(totals, past.counted, (one) => one < week).every((more) => more === 0);
  if (carried !== undefined && isRight(carried)) return carried;
  const previous = lastWeek(past.counted, week);
  if (previous === undefined) return {};
  const whole = await wholeWeek(db, past, previous);
  return addTotals(whole.week, await totalsBefore(db, past, previous, whole.earlier));
}

/** The number of movements by which the totals differ from the counts of some weeks, for each center. */
const surplus = (
  totals: CenterTotals,
  counted: Counted,
  isMeant: (week: number) => boolean,
): readonly number[] =>
  [...counted].map(([center, weeks]) => {
    const expected = [...weeks].reduce((sum, [week, count]) => (isMeant(week) ? sum + count : sum), 0);
    return (totals[center] ?? noTotals).count - expected;
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
  stock?: readonly RawItem[],
): Promise<CenterTotals> {
  let read = stock;
  return untilComplete(async (ignoresTotals) => {
    const counted = countedIn(read ?? (await stockItemsOf(db, productId)));
    read = undefined;
    return totalsBefore(db, { productId, counted, ignoresTotals }, week, undefined);
  });
}
