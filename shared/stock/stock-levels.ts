/** Reads stock levels. */
import { stockList } from "../catalog/products/product-lists.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { queryRange, type RawItem } from "../store/dynamodb/reads.ts";
import { isShard, readShards, shardedKey } from "../store/dynamodb/sharded-counter.ts";
import { recordsBetween } from "../store/lists/block-list.ts";
import type { StockKey, StockLevel } from "./stock.ts";
import { levelOf, readStockRecords } from "./stock-repository.ts";

/**
 * The stock records, with their shards, of the products from `first` to `last`, which must be in one block.
 */
export const stockItemsBetween = (db: Database, first: number, last: number): Promise<readonly RawItem[]> =>
  queryRange(db, recordsBetween(stockList, first, last));

/** A product's stock records of all distribution centers, with their shards. */
export const stockItemsOf = (db: Database, productId: number): Promise<readonly RawItem[]> =>
  stockItemsBetween(db, productId, productId);

/** Each of these stock records with its shards. */
export function recordsWithShards(
  items: readonly RawItem[],
): readonly { readonly record: RawItem; readonly shards: readonly RawItem[] }[] {
  const shards = Map.groupBy(items.filter(isShard), shardedKey);
  return items
    .filter((item) => !isShard(item))
    .map((record) => ({ record, shards: shards.get(String(record["sk"])) ?? [] }));
}

/** The stock levels of these records and shards, one for each product and distribution center. */
export const levelsIn = (items: readonly RawItem[]): readonly StockLevel[] =>
  recordsWithShards(items).map(({ record, shards }) => levelOf(record, shards));

/** A product's stock in every distribution center that keeps it. */
export const stockOf = async (db: Database, productId: number): Promise<readonly StockLevel[]> =>
  levelsIn(await stockItemsOf(db, productId));

/** The stock with these keys. One round trip, and one more if a record is sharded; see `readStock`. */
export async function readLevels(
  db: Database,
  keys: readonly StockKey[],
): Promise<(key: StockKey) => StockLevel | undefined> {
  const itemAt = await readStockRecords(db, keys);
  const items = keys.map(itemAt).filter((item) => item !== undefined);
  const shardsOf = await readShards(db, stockList.table, items);
  return (key) => {
    const item = itemAt(key);
    return item === undefined ? undefined : levelOf(item, shardsOf(item));
  };
}
