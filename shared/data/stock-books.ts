/**
 * All that is written down of a product's stock: stock records and their slots, bins, movements. The checks of an operator
 * read it, and repairs correct it.
 */
import type { Booked } from "../domain/stock/balance.ts";
import type { Waiting } from "../domain/stock/recount.ts";
import type { Movement, StockLevel, StockUnits } from "../domain/stock/stock.ts";
import { isSlot, isSlotOf } from "../store/crowded.ts";
import type { Database } from "../store/database.ts";
import { itemsOf, recordsOf } from "../store/lists/block-list.ts";
import { type BlockList, binContentList, productList, stockList } from "../store/lists/definitions.ts";
import { queryPages, queryRange, type RawItem } from "../store/reads.ts";
import { type Change, stale, type Write } from "../store/writes.ts";
import { type BinContent, binContentLookup, binContents, waitingIn } from "./bins.ts";
import { type CenterSums, type MovementSum, type MovementSums, movementSumsOf } from "./movement-sums.ts";
import { insertMovement, movementCounted, weekCounter, weeksOf } from "./movements.ts";
import { levelsIn, type StockPlace, stockItemsOf, stockLookup } from "./stock.ts";

/** A bin of a product, and the corrections that it notes as accepted and not finished. */
export interface BookedBin {
  readonly content: BinContent;
  readonly waiting: readonly Waiting[];
}

/** How many movements of a week are counted, and how many there are. */
export interface CountedWeek {
  readonly week: number;
  readonly is: number;
  readonly ought: number;
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
  /** Another text whenever the stock or a bin has changed. All that changes what orders claim of the product changes one. */
  readonly state: string;
}

/** Counts how often a stock record was repaired. It keeps two repairs at once from adding the same. */
const repairCounter = "repairs";

/**
 * Reads a product's books. Movements are looked for in the weeks that stock records count, and in those from `since`
 * (a week) to `until` as well.
 */
export async function readBooks(
  db: Database,
  productId: number,
  extent?: { readonly since: number; readonly until: number },
): Promise<ProductBooks> {
  const [stock, bins] = await Promise.all([
    stockItemsOf(db, productId),
    queryRange(db, recordsOf(binContentList, productId)),
  ]);
  const weeks = new Set(weeksOf(stock).map(([week]) => week));
  if (extent !== undefined) for (let week = extent.since; week <= extent.until; week += 1) weeks.add(week);
  return booksOf(stock, bins, await movementSumsOf(db, productId, weeks));
}

/** Items of blocks read at a time. */
const pageSize = 500;

/** Reads the books of all products of a block, by their ids; `sums` are those of all movements. */
export async function readBlockBooks(
  db: Database,
  block: number,
  sums: MovementSums,
): Promise<ReadonlyMap<number, ProductBooks>> {
  const blocksOfBins = productList.blockSize / binContentList.blockSize;
  const stock = await itemsByProduct(db, stockList, [block]);
  const bins = await itemsByProduct(
    db,
    binContentList,
    Array.from({ length: blocksOfBins }, (_, position) => block * blocksOfBins + position),
  );
  return new Map(
    [...stock].map(([id, items]) => [id, booksOf(items, bins.get(id) ?? [], sums.of(id))] as const),
  );
}

async function itemsByProduct(
  db: Database,
  list: BlockList,
  blocks: readonly number[],
): Promise<ReadonlyMap<number, readonly RawItem[]>> {
  const found = new Map<number, RawItem[]>();
  for (const block of blocks)
    for await (const items of queryPages(db, itemsOf(list, block), pageSize))
      for (const item of items) {
        const id = Number.parseInt(String(item["sk"]), 10);
        const all = found.get(id) ?? [];
        found.set(id, all);
        all.push(item);
      }
  return found;
}

function booksOf(stock: readonly RawItem[], bins: readonly RawItem[], sums: CenterSums): ProductBooks {
  const booked = bins.map((item) => ({ content: binContents.parse(item), waiting: waitingIn(item) }));
  return {
    centers: levelsIn(stock).map((level) => centerBooks(level, stock, booked, sums)),
    bins: booked,
    state: JSON.stringify([stock, bins]),
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
    (item) => !isSlot(item) && item["distribution_center_id"] === distribution_center_id,
  );
  const counters = record === undefined ? [] : [record, ...stock.filter((item) => isSlotOf(item, record))];
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
      .map((week) => ({ week, is: counted.get(week) ?? 0, ought: ofCenter.get(week)?.count ?? 0 }))
      .filter(({ is, ought }) => is !== ought),
    repairs: typeof repairs === "number" ? repairs : undefined,
  };
}

/** By how much a stock record and its movements are off, and who has them mended when (ISO 8601). */
export interface BookRepair {
  readonly level: StockUnits;
  readonly moved: Pick<Movement, "on_hand" | "reserved">;
  readonly by: string;
  readonly at: string;
}

/**
 * Adds to a stock record, its movements and its counts what they lack. What they lack stays the same however much stock
 * moves meanwhile, so this is right at any time. Stale where someone else has repaired the record meanwhile. A movement
 * that is added says `repaired`.
 */
export function repairBooks({ place, miscounted, repairs }: CenterBooks, lack: BookRepair): readonly Write[] {
  const { product_id, distribution_center_id } = place;
  const moves = lack.moved.on_hand !== 0 || lack.moved.reserved !== 0;
  const cause = { reason: "repaired", reference: {}, by: lack.by, at: lack.at } as const;
  const counts = new Map(miscounted.map(({ week, is, ought }) => [weekCounter(week), ought - is]));
  if (moves)
    for (const [name, one] of Object.entries(movementCounted(cause)))
      counts.set(name, (counts.get(name) ?? 0) + one);
  const change: Change = {
    kind: "change",
    ...stockLookup(product_id, distribution_center_id),
    add: { ...lack.level, ...Object.fromEntries(counts), [repairCounter]: 1 },
    when: [
      repairs === undefined
        ? { attribute: repairCounter, is: "absent" }
        : { attribute: repairCounter, equals: repairs },
      { attribute: "pk", is: "present" },
    ],
    refusal: stale,
  };
  const moved = { product_id, distribution_center_id, ...lack.moved };
  return [change, ...(moves ? [insertMovement(moved, cause)] : [])];
}

/** What a bin will hold once its corrections are applied: what it holds, and what they add. */
export const expectedIn = ({ content, waiting }: BookedBin): number =>
  waiting.reduce((sum, { difference }) => sum + difference, content.quantity);

/** Has a bin expect what it ought to. Stale where the bin changed meanwhile. */
export function repairExpected(bin: BookedBin): Change {
  const { product_id, location, bin: name, quantity, expected, accepted } = bin.content;
  return {
    kind: "change",
    ...binContentLookup(product_id, location, name),
    set: { expected: expectedIn(bin) },
    when: [
      { attribute: "quantity", equals: quantity },
      { attribute: "expected", equals: expected },
      accepted === undefined
        ? { attribute: "accepted", is: "absent" }
        : { attribute: "accepted", equals: accepted },
    ],
    refusal: stale,
  };
}
