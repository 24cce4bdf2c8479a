/**
 * Everything that is stored about a product's stock: stock records with their shards, bins, and movements.
 */

import {
  type BinContent,
  binContents,
  pendingCorrections,
} from "../../../../shared/stock/bins/bin-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { PendingCorrection } from "../../../../shared/stock/recount/recount.ts";
import type { StockLevel, StockPlace } from "../../../../shared/stock/stock.ts";
import { levelsIn, stockItemsOf } from "../../../../shared/stock/stock-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { recordsOf } from "../../../../shared/store/lists/block-list.ts";
import { binContentList } from "../../../../shared/store/lists/definitions.ts";
import { isShard, isShardOf } from "../../../../shared/store/sharded-counter.ts";
import type { Booked } from "./balance.ts";
import { type CenterSums, type MovementSum, movementSumsOf, type ProductMovements } from "./movement-sums.ts";

/** A bin of a product, and its pending corrections. */
export interface BookedBin {
  readonly content: BinContent;
  readonly waiting: readonly PendingCorrection[];
}

/** The counted and the stored movements of a week. */
export interface CountedWeek {
  readonly week: number;
  readonly actual: number;
  readonly expected: number;
}

export interface CenterBooks extends Booked {
  readonly place: StockPlace & Pick<StockLevel, "account_id" | "sku" | "distribution_center">;
  /** Weeks with a wrong count of movements. */
  readonly miscounted: readonly CountedWeek[];
  readonly repairs: number | undefined;
}

export interface ProductBooks {
  readonly centers: readonly CenterBooks[];
  readonly bins: readonly BookedBin[];
  /** By order, the units that movements still reserve for it. */
  readonly reserved: ReadonlyMap<number, number>;
  /** Unreadable movements. If there are any, the right sums are unknown. */
  readonly unreadable: readonly Key[];
  /**
   * Changes whenever stock or a bin changes. A transaction that changes what orders claim changes one of
   * them.
   */
  readonly state: string;
}

/**
 * An attribute that counts repairs of a stock record, so that two concurrent repairs do not both add the
 * difference.
 */
export const repairCounter = "repairs";

const readStockAndBins = (
  db: Database,
  productId: number,
): Promise<readonly [stock: readonly RawItem[], bins: readonly RawItem[]]> =>
  Promise.all([stockItemsOf(db, productId), queryRange(db, recordsOf(binContentList, productId))]);

const stateOf = (stock: readonly RawItem[], bins: readonly RawItem[]): string =>
  JSON.stringify([stock, bins]);

export const readBooksState = async (db: Database, productId: number): Promise<string> =>
  stateOf(...(await readStockAndBins(db, productId)));

/**
 * Reads a product's books: stock and bins first, then movements. Movements are read for the weeks that stock
 * records count, and for those from `since` to `until`.
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
    reserved: movements.reserved,
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
