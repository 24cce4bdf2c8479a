import * as z from "zod/mini";
import { stockList } from "../catalog/products/product-lists.ts";
import * as primitive from "../common/primitives.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { joined, padded } from "../store/dynamodb/keys.ts";
import { getItems, type Lookup, type RawItem } from "../store/dynamodb/reads.ts";
import { countWith, type Write } from "../store/dynamodb/writes.ts";
import { recordKey } from "../store/lists/block-list.ts";
import { facets } from "../store/lists/facets.ts";
import { recordOf, recordsIn } from "../store/lists/repository.ts";
import type { Cause } from "./movements/movement.ts";
import {
  entryCounted,
  entryMovements,
  insertMovement,
  movementCounted,
} from "./movements/movement-repository.ts";
import { type StockChange, type StockEntry, type StockKey, type StockLevel, stockLevel } from "./stock.ts";

/** Stock lists can be filtered by distribution center id. */
export const stockFacets = facets("center");

/** A stored stock record. `slots` is present if the record has shards (`sharded-counter.ts`). */
const stockRecord = z.extend(stockLevel, { slots: z.optional(primitive.int) });

/** A product has a stock record for each distribution center that keeps it. */
export const stockRecords = recordsIn<z.output<typeof stockRecord>>(stockList, recordOf(stockRecord), {
  idOf: ({ product_id }) => product_id,
  suffixOf: ({ distribution_center_id }) => padded(distribution_center_id),
  facetKeyOf: ({ distribution_center_id: center }) => stockFacets.key({ center }),
});

export const stockLookup = (productId: number, distributionCenterId: number): Lookup => ({
  table: stockList.table,
  key: recordKey(stockList, productId, padded(distributionCenterId)),
});

/** Whether this is the lookup of a stock record. */
export const isStock = ({ table, key }: Lookup): boolean =>
  table === stockList.table && key.pk.startsWith(joined(stockList.name, ""));

/** The level of a stock record and its shards. */
export function levelOf(item: RawItem, shards: readonly RawItem[]): StockLevel {
  const level = z.parse(stockLevel, item);
  const counted = (name: "on_hand" | "reserved" | "incoming"): number =>
    shards.reduce((sum, { [name]: count }) => sum + (typeof count === "number" ? count : 0), level[name]);
  return {
    ...level,
    on_hand: counted("on_hand"),
    reserved: counted("reserved"),
    incoming: counted("incoming"),
  };
}

/** The stock records with these keys, in one round trip. */
export async function readStockRecords(
  db: Database,
  keys: readonly StockKey[],
): Promise<(key: StockKey) => RawItem | undefined> {
  const lookup = ({ product_id, distribution_center_id }: StockKey): Lookup =>
    stockLookup(product_id, distribution_center_id);
  const find = await getItems(db, keys.map(lookup));
  return (key) => find(lookup(key));
}

/** Changes stock, with a movement for each change. The stock must be open; its record is never removed. */
export const changeStock = (changes: readonly StockChange[], cause: Cause): readonly Write[] =>
  changes.flatMap((change) => {
    const { product_id, distribution_center_id, on_hand, reserved } = change;
    const { table, key } = stockLookup(product_id, distribution_center_id);
    const add = { on_hand, reserved, ...movementCounted(cause) };
    // Consecutive ids of the causing records are spread evenly over the shards.
    const [recordId] = Object.values<number | string>(cause.reference);
    const shard = typeof recordId === "number" ? recordId : 0;
    return countWith({ kind: "count", table, key, add, shard }, insertMovement(change, cause));
  });

/**
 * Changes stock including its held units. Held units are counted in the stock record, never in its shards, so
 * that one read of the record returns all of them.
 */
export const changeHeldStock = (entries: readonly StockEntry[]): readonly Write[] =>
  entries.flatMap((entry) => {
    const { table, key } = stockLookup(entry.product_id, entry.distribution_center_id);
    return countWith({ kind: "count", table, key, add: entryCounted(entry) }, ...entryMovements(entry));
  });
