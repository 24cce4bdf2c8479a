import { readKitStock } from "../data/kit-stock.ts";
import { findSkus } from "../data/products.ts";
import { stockOf } from "../data/stock.ts";
import { findSynsetEntry } from "../data/synsets.ts";
import type { KitLevel } from "../domain/catalog/kit-stock.ts";
import type { StockLevel } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";

/** A product's stock in each distribution center that keeps it, or a kit's. */
export type FoundStock = { readonly levels: readonly StockLevel[] } | { readonly kit: KitLevel };

/** Stock of the account's product with this SKU; where there is none, of its kit with this name. */
export async function findStock(db: Database, accountId: number, sku: string): Promise<FoundStock> {
  const [products, kit] = await Promise.all([
    findSkus(db, accountId, [sku]),
    findSynsetEntry(db, accountId, sku),
  ]);
  const product = products.get(sku);
  if (product !== undefined) return { levels: await stockOf(db, product.product_id) };
  if (kit === undefined) return { levels: [] };
  const kitStockOf = await readKitStock(db, accountId, [kit]);
  return { kit: { sku, synset_id: kit.synset_id, ...kitStockOf(kit) } };
}
