import * as z from "zod/mini";
import { type Cause, type StockChange, type StockLevel, stockLevel } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import { padded } from "../store/keys.ts";
import { recordKey, recordsOf } from "../store/lists/block-list.ts";
import { stockList } from "../store/lists/definitions.ts";
import { facets } from "../store/lists/facets.ts";
import { recordsIn } from "../store/lists/records.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../store/reads.ts";
import type { Write } from "../store/writes.ts";
import { insertMovement, movementCounted } from "./movements.ts";

/** What stock lists filter by: the id of the distribution center. */
export const stockFacets = facets("center");

/** What distribution centers keep of products; a product has a record for each center that keeps it. */
export const stock = recordsIn(stockList, stockLevel, {
  idOf: ({ product_id }) => product_id,
  suffixOf: ({ distribution_center_id }) => padded(distribution_center_id),
  cellOf: ({ distribution_center_id: center }) => stockFacets.cell({ center }),
});

export const stockLookup = (productId: number, distributionCenterId: number): Lookup => ({
  table: stockList.table,
  key: recordKey(stockList, productId, padded(distributionCenterId)),
});

export const parseStock = stock.parse;

/** A product's stock records, one for each distribution center that keeps it. */
export const stockItemsOf = (db: Database, productId: number): Promise<readonly RawItem[]> =>
  queryRange(db, recordsOf(stockList, productId));

/** A product's stock in every distribution center that keeps it. */
export const stockOf = async (db: Database, productId: number): Promise<readonly StockLevel[]> =>
  (await stockItemsOf(db, productId)).map(parseStock);

/** A product in one distribution center, which may keep it or not. */
export type StockPlace = Pick<StockLevel, "product_id" | "distribution_center_id">;

/** Tells of these places whether the center keeps the product already: one round trip. */
export async function keptStock(
  db: Database,
  places: readonly StockPlace[],
): Promise<(place: StockPlace) => boolean> {
  const lookup = ({ product_id, distribution_center_id }: StockPlace) =>
    stockLookup(product_id, distribution_center_id);
  const find = await getItems(db, places.map(lookup));
  return (place) => find(lookup(place)) !== undefined;
}

/**
 * Begins to keep a product in a distribution center, with the movement that brings its first units, if any.
 * Stale where that has begun meanwhile.
 */
export function openStock(level: StockLevel, at: string, cause?: Cause): readonly Write[] {
  const { product_id, distribution_center_id, on_hand, reserved } = level;
  const change = { product_id, distribution_center_id, on_hand, reserved };
  return [
    ...stock.insert(z.parse(stockLevel, level), at, cause === undefined ? {} : movementCounted(cause)),
    ...(cause === undefined ? [] : [insertMovement(change, cause)]),
  ];
}

/** Stock changes with the movements that explain them. The stock must have been opened; its record never goes away. */
export const changeStock = (changes: readonly StockChange[], cause: Cause): readonly Write[] =>
  changes.flatMap((change): Write[] => {
    const { product_id, distribution_center_id, on_hand, reserved } = change;
    const { table, key } = stockLookup(product_id, distribution_center_id);
    const add = { on_hand, reserved, ...movementCounted(cause) };
    return [{ kind: "count", table, key, add }, insertMovement(change, cause)];
  });

/**
 * Goods that come into a distribution center or go missing there, with the movement that explains them. A center that
 * does not keep the product yet (`kept`) begins to: stale where that has begun meanwhile.
 */
export function moveStock(
  place: Omit<StockLevel, "on_hand" | "reserved" | "incoming">,
  on_hand: number,
  cause: Cause,
  kept: boolean,
): readonly Write[] {
  if (on_hand === 0) return [];
  const { product_id, distribution_center_id } = place;
  if (kept) return changeStock([{ product_id, distribution_center_id, on_hand, reserved: 0 }], cause);
  return openStock({ ...place, on_hand, reserved: 0, incoming: 0 }, cause.at, cause);
}

/** What replenishments are to bring changes by so many units; nothing has moved yet. */
export function changeIncoming(productId: number, distributionCenterId: number, by: number): Write {
  const { table, key } = stockLookup(productId, distributionCenterId);
  return { kind: "count", table, key, add: { incoming: by } };
}
