import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Cause, StockChange, StockLevel } from "../domain/stock.ts";
import { stockLevel } from "../domain/stock.ts";
import { counted, listed, recordKey } from "./block-list.ts";
import type { Database } from "./database.ts";
import { joined, padded } from "./keys.ts";
import { stockList } from "./lists.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { type Lookup, queryRange, type RawItem } from "./reads.ts";
import { stale, type Write } from "./writes.ts";

/** Stock is filtered by its distribution center alone. */
export const stockCell = (distributionCenterId: number): string => `${distributionCenterId}|`;

export const stockLookup = (productId: number, distributionCenterId: number): Lookup => ({
  table: stockList.table,
  key: recordKey(stockList, productId, padded(distributionCenterId)),
});

export const parseStock = (item: RawItem): StockLevel => z.parse(stockLevel, item);

/** A product's stock in every distribution center that keeps it. */
export async function stockOf(db: Database, productId: number): Promise<readonly StockLevel[]> {
  const { pk, sk } = recordKey(stockList, productId);
  const items = await queryRange(db, {
    table: stockList.table,
    pk,
    between: [joined(sk, ""), joined(sk, "~")],
  });
  return items.map(parseStock);
}

/** Begins to keep a product in a distribution center. Stale where that has begun meanwhile. */
export function openStock(level: StockLevel, at: string): readonly Write[] {
  const { account_id, product_id, distribution_center_id } = level;
  const cell = stockCell(distribution_center_id);
  const place = listed(stockList, product_id, cell, at, padded(distribution_center_id));
  return [
    {
      kind: "insert",
      table: stockList.table,
      item: { v: 1, ...z.parse(stockLevel, level), ...place },
      refusal: stale,
    },
    counted(stockList, String(account_id), product_id, cell),
  ];
}

/** Stock changes with the movements that explain them. The stock must have been opened; its record never goes away. */
export const changeStock = (changes: readonly StockChange[], cause: Cause): readonly Write[] =>
  changes.flatMap((change): Write[] => {
    const { product_id, distribution_center_id, on_hand, reserved } = change;
    const { table, key } = stockLookup(product_id, distribution_center_id);
    return [{ kind: "count", table, key, add: { on_hand, reserved } }, movement(change, cause)];
  });

/** Where a product's movements of a month lie: a partition with a local index may hold 10 GB. */
export const movementPartition = (productId: number, at: string): string =>
  joined("movement", productId, at.slice(0, 7));

/** A movement record: what changed, by how much, why, by whom and when (decisions, section 5). */
export const movement = (change: StockChange, cause: Cause): Write => ({
  kind: "insert",
  table: stockList.table,
  item: {
    v: 1,
    pk: movementPartition(change.product_id, cause.at),
    sk: joined(cause.at, randomUUID()),
    ...change,
    ...cause,
  },
  refusal: stale,
});

/** The account's stock of one page, by product, and how many entries match. */
export async function readStock(
  db: Database,
  accountId: number,
  request: PageRequest,
): Promise<{ readonly levels: readonly StockLevel[]; readonly total: number }> {
  const { items, total } = await readPage(db, stockList, String(accountId), request);
  return { levels: items.map(parseStock), total };
}
