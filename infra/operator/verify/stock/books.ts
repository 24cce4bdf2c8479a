/**
 * All that is stored about a product's stock: stock records with their shards, bins, and movements; and what
 * the open records of an account claim of its stock.
 */
import * as z from "zod/mini";
import { binContentList, stockList } from "../../../../shared/catalog/products/product-lists.ts";
import { replenishments, withStatus } from "../../../../shared/inbound/inbound-repository.ts";
import { statusIds } from "../../../../shared/orders/order.ts";
import { orderFacets, orders } from "../../../../shared/orders/storage/order-repository.ts";
import { binContents, pendingCorrections } from "../../../../shared/stock/bins/bin-repository.ts";
import { holdsOf, parseHold } from "../../../../shared/stock/holds/hold-repository.ts";
import { type Movement, storedMovement } from "../../../../shared/stock/movements/movement.ts";
import { movementPartition } from "../../../../shared/stock/movements/movement-repository.ts";
import { weeksOf } from "../../../../shared/stock/movements/read-movements.ts";
import type { StockLevel } from "../../../../shared/stock/stock.ts";
import { recordsWithShards, stockItemsOf } from "../../../../shared/stock/stock-levels.ts";
import { levelOf } from "../../../../shared/stock/stock-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { joined, type Key, keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import {
  getItems,
  type Lookup,
  queryPages,
  queryRange,
  type RawItem,
} from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import { type BlockList, indexEntriesOf, recordsOf } from "../../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../../shared/store/lists/counters/counter-tree.ts";
import { unlessUnreadable } from "../../unreadable.ts";
import {
  type FigureName,
  type Part,
  partsOfBin,
  partsOfMovement,
  partsOfOrder,
  partsOfReplenishment,
  partsOfStock,
  partsOfStoredHold,
  StockSums,
} from "./figures.ts";

/** A bin of a product, and its pending corrections. */
export type BookedBin = ReturnType<typeof bookedBin>;

/** A stock record with its shards. */
export interface BookedLevel extends StockLevel {
  /** How often the record was repaired. */
  readonly repairs: number | undefined;
}

export type ProductBooks = Awaited<ReturnType<typeof readBooks>>;

/** Units that movements still reserve for an order in a center. */
interface ReservedUnits extends Pick<StockLevel, "distribution_center_id"> {
  readonly order_id: number;
  readonly units: number;
}

/**
 * An attribute that counts repairs of a stock record, so that two concurrent repairs do not both add the
 * difference.
 */
export const repairCounter = "repairs";

export const bookedBin = (item: RawItem) => ({
  content: binContents.parse(item),
  waiting: pendingCorrections(item),
});

/**
 * The movement in an item, with its week. Undefined if it is unreadable, or belongs to another product than
 * its partition.
 */
export function movementIn(item: RawItem): (Movement & { readonly week: number }) | undefined {
  const [, product, week] = String(item["pk"]).split("#").map(Number);
  const { success, data } = z.safeParse(storedMovement, item);
  return success && week !== undefined && data.product_id === product ? { ...data, week } : undefined;
}

/** Movements, or records that claim stock, read at once. */
const pageSize = { movements: 500, claims: 100 };

/**
 * Reads a product's books: stock and bins first, then movements. Movements are read for the weeks that stock
 * records count, and for those from `since` to `until`.
 * @returns `sums`: what stock records, bins and movements state; `reserved`: the units that movements still
 * reserve for orders; `unreadable`: movements, with which the right sums are unknown; `state`:
 * what changes whenever stock or a bin does, and with it what orders claim
 */
export async function readBooks(
  db: Database,
  productId: number,
  extent?: { readonly since: number; readonly until: number },
) {
  const [stock, binItems] = await Promise.all([
    stockItemsOf(db, productId),
    queryRange(db, recordsOf(binContentList, productId)),
  ]);
  const weeks = new Set(weeksOf(stock).map(([week]) => week));
  if (extent !== undefined) for (let week = extent.since; week <= extent.until; week += 1) weeks.add(week);
  const bins = binItems.map(bookedBin);
  const sums = new StockSums();
  const reserved = new Map<string, ReservedUnits>();
  const unreadable: Key[] = [];
  sums.add(stock.flatMap(partsOfStock));
  sums.add(bins.flatMap(({ content }) => partsOfBin(content)));
  for (const week of weeks)
    for await (const items of queryPages(
      db,
      { table: stockList.table, pk: movementPartition(productId, week) },
      pageSize.movements,
    ))
      for (const item of items) {
        const moved = movementIn(item);
        if (moved === undefined) unreadable.push(keyIn(item));
        else {
          sums.add(partsOfMovement(moved));
          addReserved(reserved, moved);
        }
      }
  const levels = recordsWithShards(stock).map(({ record, shards }): BookedLevel => {
    const { [repairCounter]: repairs } = record;
    return { ...levelOf(record, shards), repairs: typeof repairs === "number" ? repairs : undefined };
  });
  return {
    levels,
    bins,
    sums,
    reserved: [...reserved.values()],
    unreadable,
    state: JSON.stringify([stock, binItems]),
  };
}

/** Orders with no reserved units are left out, so the map holds little more than open orders. */
function addReserved(
  orders: Map<string, ReservedUnits>,
  { reference: { order_id }, distribution_center_id, reserved }: Movement,
): void {
  if (order_id === undefined) return;
  const name = joined(order_id, distribution_center_id);
  const units = (orders.get(name)?.units ?? 0) + reserved;
  if (units === 0) orders.delete(name);
  else orders.set(name, { order_id, distribution_center_id, units });
}

/** The records of an account under the facet keys that match; `unclear` if they are unreadable. */
async function* recordsInFacets(
  db: Database,
  list: BlockList,
  accountId: number,
  matches: (facetKey: string) => boolean,
): AsyncGenerator<RawItem | "unclear", void> {
  for await (const { block } of readBlocks({ db, list, owner: String(accountId) }))
    for await (const entries of queryPages(db, indexEntriesOf(list, block), pageSize.claims)) {
      const lookups = entries
        .filter(({ cell }) => matches(String(cell)))
        .map((entry): Lookup => ({ table: list.table, key: keyIn(entry) }));
      const find = await getItems(db, lookups);
      const items = await Promise.all(lookups.map((lookup) => unlessUnreadable(() => find(lookup))));
      yield* items.filter((item) => item !== undefined);
    }
}

/** Records of one kind that claim stock, and of which figures they claim units. */
interface Claimants {
  readonly claimed: readonly FigureName[];
  readonly items: AsyncIterable<RawItem | "unclear"> | Iterable<RawItem>;
  readonly partsOf: (item: RawItem) => readonly Part[];
}

const openOrders = orderFacets.matching({ status: [statusIds.Pending, statusIds.Processing] });
const pendingReplenishments = withStatus("Pending");

/**
 * Reads what an account's open orders, holds and Pending replenishments claim, except unreadable ones. The
 * cost grows with their number. If facet keys of records may be wrong (`trustsFacetKeys` false), it reads all
 * orders and replenishments.
 * @returns `areMoving`: whether a saga was storing one of the records, of which stock may already include a
 * part; `openEnded`: figures of which unreadable records may claim more
 */
export async function readClaims(
  db: Database,
  accountId: number,
  { trustsFacetKeys = true }: { readonly trustsFacetKeys?: boolean } = {},
) {
  const sums = new StockSums();
  let areMoving = false;
  const openEnded = new Set<FigureName>();
  const openRecords = (list: BlockList, { matches = () => true }: typeof openOrders) =>
    recordsInFacets(db, list, accountId, trustsFacetKeys ? matches : () => true);
  const add = async ({ claimed, items, partsOf }: Claimants): Promise<void> => {
    for await (const item of items) {
      const parts = item === "unclear" ? item : await unlessUnreadable(() => partsOf(item));
      if (parts === "unclear") for (const figure of claimed) openEnded.add(figure);
      else sums.add(parts);
      areMoving ||= item !== "unclear" && item[sagaAttribute] !== undefined;
    }
  };
  await Promise.all([
    add({
      claimed: ["on_hand", "reserved"],
      items: openRecords(orders.list, openOrders),
      partsOf: (item) => partsOfOrder(orders.parse(item)),
    }),
    add({
      claimed: ["reserved", "held"],
      items: await holdsOf(db, accountId),
      partsOf: (item) => partsOfStoredHold(parseHold(item)),
    }),
    add({
      claimed: ["incoming"],
      items: openRecords(replenishments.list, pendingReplenishments),
      partsOf: (item) => partsOfReplenishment(replenishments.parse(item)),
    }),
  ]);
  return { sums, areMoving, openEnded };
}
