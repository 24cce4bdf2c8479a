/**
 * All that is written down of a product's stock: stock records and their slots, bins, movements. The checks of an operator
 * read it, and repairs correct it (`book-repairs.ts`).
 */

import {
  type BinContent,
  binContents,
  pendingCorrections,
} from "../../../../shared/stock/bins/bin-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/movement-repository.ts";
import type { PendingCorrection } from "../../../../shared/stock/recount/recount.ts";
import type { StockLevel } from "../../../../shared/stock/stock.ts";
import { levelsIn, type StockPlace, stockItemsOf } from "../../../../shared/stock/stock-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { recordsOf } from "../../../../shared/store/lists/block-list.ts";
import { binContentList } from "../../../../shared/store/lists/definitions.ts";
import { isShard, isShardOf } from "../../../../shared/store/sharded-counter.ts";
import type { Booked } from "./balance.ts";
import { type CenterSums, type MovementSum, movementSumsOf, type ProductMovements } from "./movement-sums.ts";

/** A bin of a product, and the corrections that it notes as accepted and not finished. */
export interface BookedBin {
  readonly content: BinContent;
  readonly waiting: readonly PendingCorrection[];
}

/** How many movements of a week are counted, and how many there are. */
export interface CountedWeek {
  readonly week: number;
  readonly actual: number;
  readonly expected: number;
}

/** What one center's books say of a product. */
export interface CenterBooks extends Booked {
  readonly place: StockPlace & Pick<StockLevel, "account_id" | "sku" | "distribution_center">;
  /** Weeks whose movements are counted wrong. */
  readonly miscounted: readonly CountedWeek[];
  /** How often the stock record was repaired. */
  readonly repairs: number | undefined;
}

/** What is written down of one product. */
export interface ProductBooks {
  readonly centers: readonly CenterBooks[];
  readonly bins: readonly BookedBin[];
  /** Movements that can't be read. Then nothing is known of what they ought to come to. */
  readonly unreadable: readonly Key[];
  /** Another text whenever the stock or a bin has changed. All that changes what orders claim of the product changes one. */
  readonly state: string;
}

/** Counts how often a stock record was repaired. It keeps two repairs at once from adding the same. */
export const repairCounter = "repairs";

const readStockAndBins = (
  db: Database,
  productId: number,
): Promise<readonly [stock: readonly RawItem[], bins: readonly RawItem[]]> =>
  Promise.all([stockItemsOf(db, productId), queryRange(db, recordsOf(binContentList, productId))]);

const stateOf = (stock: readonly RawItem[], bins: readonly RawItem[]): string =>
  JSON.stringify([stock, bins]);

/** Reads the `state` that a product's books have just now. */
export const readBooksState = async (db: Database, productId: number): Promise<string> =>
  stateOf(...(await readStockAndBins(db, productId)));

/**
 * Reads a product's books: stock and bins first, movements behind them. Movements are looked for in the weeks that stock
 * records count, and in those from `since` (a week) to `until` as well.
 */
export async function readBooks(
  db: Database,
  productId: number,
  extent?: { readonly since: number; readonly until: number },
): Promise<ProductBooks> {
  const [stock, bins] = await readStockAndBins(db, productId);
  const weeks = new Set(weeksOf(stock).map(([week]) => week));
  if (extent !== undefined) for (let week = extent.since; week <= extent.until; week += 1) weeks.add(week);
  return booksOf(stock, bins, await movementSumsOf(db, productId, weeks));
}

/** The bin that an item of `binContentList` is. */
export const bookedBin = (item: RawItem): BookedBin => ({
  content: binContents.parse(item),
  waiting: pendingCorrections(item),
});

function booksOf(
  stock: readonly RawItem[],
  bins: readonly RawItem[],
  movements: ProductMovements,
): ProductBooks {
  const booked = bins.map(bookedBin);
  return {
    centers: levelsIn(stock).map((level) => centerBooks(level, stock, booked, movements.sums)),
    bins: booked,
    unreadable: movements.unreadable,
    state: stateOf(stock, bins),
  };
}

function centerBooks(
  level: StockLevel,
  stock: readonly RawItem[],
  bins: readonly BookedBin[],
  sums: CenterSums,
): CenterBooks {
  const { account_id, product_id, sku, distribution_center_id, distribution_center } = level;
  const record = stock.find(
    (item) => !isShard(item) && item["distribution_center_id"] === distribution_center_id,
  );
  const counters = record === undefined ? [] : [record, ...stock.filter((item) => isShardOf(item, record))];
  const counted = new Map(weeksOf(counters));
  const ofCenter = sums.get(distribution_center_id) ?? new Map<number, MovementSum>();
  const total = (name: "on_hand" | "reserved"): number =>
    [...ofCenter.values()].reduce((sum, { [name]: units }) => sum + units, 0);
  const repairs = record?.[repairCounter];
  return {
    place: { account_id, product_id, sku, distribution_center_id, distribution_center },
    level,
    binned: bins
      .filter(({ content }) => content.distribution_center_id === distribution_center_id)
      .reduce((sum, { content }) => sum + content.quantity, 0),
    moved: { on_hand: total("on_hand"), reserved: total("reserved") },
    miscounted: [...new Set([...counted.keys(), ...ofCenter.keys()])]
      .map((week) => ({ week, actual: counted.get(week) ?? 0, expected: ofCenter.get(week)?.count ?? 0 }))
      .filter(({ actual, expected }) => actual !== expected),
    repairs: typeof repairs === "number" ? repairs : undefined,
  };
}
