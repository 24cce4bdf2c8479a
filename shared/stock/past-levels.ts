/**
 * The stock levels of a product at a moment, from the running totals of its movements
 * (`movements/running-totals.ts`).
 *
 * Totals may lack movements that were stored just now. So their number of movements is compared with that of
 * stock records which are read after them. Movements are only added, so equal numbers are equal movements.
 */
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
 * seconds, and only while the product's stock changes continuously. The end of a hold may be stored later
 * (`withoutEnded`).
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
  /** Whether all movements are added up, instead of those behind the last one that carries totals. */
  readonly ignoresTotals: boolean;
}

/**
 * The stock of a product at a moment, still with the holds that had ended by then and were given back later
 * (`withoutEnded`), and the stock records by which it was read. `listed` are those of the centers that are
 * asked for, if they were read just now; by default, it is read in all centers.
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
    const isAddedUp = attempt > maxComparisons && !mayHaveCome(at, now);
    const { totals, stock } = isAddedUp
      ? await addedUpTo(past, at)
      : await totalsAt(past, at, attempt === 1 ? listed : undefined);
    const levels = levelsIn(stock).map((level) => {
      const { on_hand, reserved } = totals[level.distribution_center_id] ?? noTotals;
      return { ...level, on_hand, reserved };
    });
    return { stock, levels };
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

const totalsOf = ({ db, productId, ignoresTotals }: Past, week: number, end?: string): Promise<WeekTotals> =>
  totalsOfWeek(db, { product_id: productId, week }, { end, ignoresTotals });

/** Totals up to a moment, and the stock records that count their movements. */
interface TotalsAt {
  readonly totals: CenterTotals;
  readonly stock: Stock;
}

/** The totals of all movements up to a settled moment: all are stored, so those of its week need no count. */
async function addedUpTo(past: Past, at: string): Promise<TotalsAt> {
  const [week, stock] = [weekAt(at), await past.stockNow()];
  const own = await totalsOf({ ...past, ignoresTotals: true }, week, afterTime(at));
  return { totals: addTotals(own.week, await totalsBefore(past, week, stock)), stock };
}

/**
 * The totals of all movements up to a moment. If no stock was read `before`, the moment's own week is read
 * first: mostly, no other is needed.
 */
async function totalsAt(past: Past, at: string, before: Stock | undefined): Promise<TotalsAt> {
  const end = afterTime(at);
  const first = before === undefined ? weekAt(at) : lastWeek(before, weekAt(at) + 1);
  if (first === undefined) return { totals: {}, stock: before ?? [] };
  const counted = await countedWeek(past, first, before);
  const latest = lastWeek(counted.stock, weekAt(at) + 1);
  if (latest === undefined) return { totals: {}, stock: counted.stock };
  const { whole, stock } = latest === first ? counted : await countedWeek(past, latest, counted.stock);
  // While the last week was read, the moment's own week may have begun.
  if (lastWeek(stock, weekAt(at) + 1) !== latest) throw stale();
  const isWhole = whole.last === undefined || whole.last < end;
  const part = isWhole ? whole : (partOf(whole, end) ?? (await totalsOf(past, latest, end)));
  const earlier = await totalsBefore(past, latest, stock, part.earlier ?? whole.earlier);
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

/**
 * The totals of a week, and the stock records that count as many movements: those that were read `before`, if
 * no movement can have been stored since.
 * @throws Stale if movements are stored meanwhile; TotalsBehind if the totals lack some
 */
async function countedWeek(
  past: Past,
  week: number,
  before: Stock | undefined,
): Promise<{ readonly whole: WeekTotals; readonly stock: Stock }> {
  const whole = await totalsOf(past, week);
  const surplusOver = (stock: Stock) => surplus(whole.week, stock, (one) => one === week);
  if (before !== undefined && surplusOver(before).some((more) => more < 0))
    throw new TotalsBehind(`the running totals of product ${past.productId} lack movements`);
  const isSettled = before !== undefined && !mayHaveCome(whole.last, past.now);
  const stock = isSettled ? before : await past.stockNow();
  if (surplusOver(stock).every((more) => more === 0)) return { whole, stock };
  if (before !== undefined) throw stale();
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
  const { whole, stock: counting } = await countedWeek(past, previous, stock);
  return addTotals(whole.week, await totalsBefore(past, previous, counting, whole.earlier));
}

/** The number of movements by which the totals differ from the counts of some weeks, for each center. */
const surplus = (totals: CenterTotals, stock: Stock, isMeant: (week: number) => boolean): readonly number[] =>
  [...Map.groupBy(stock, shardedKey).values()].flatMap((items) =>
    items
      .filter((item) => !isShard(item))
      .map((record) => {
        const expected = weeksOf(items).reduce(
          (sum, [week, count]) => (isMeant(week) ? sum + count : sum),
          0,
        );
        return (totals[String(record["distribution_center_id"])] ?? noTotals).count - expected;
      }),
  );

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
    return totalsBefore(past, week, (attempt === 1 && stock) || (await stockNow()));
  });
}
