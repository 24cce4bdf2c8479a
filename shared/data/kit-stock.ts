import { type KitStock, kitStock } from "../domain/catalog/kit-stock.ts";
import type { Synset } from "../domain/catalog/synset.ts";
import { available } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import { getItems, type Lookup } from "../store/reads.ts";
import { findSkus, type SkuEntry } from "./products.ts";
import { parseStock, stockLookup } from "./stock.ts";

/** What of a kit its stock is reckoned from. */
type Components = Pick<Synset, "items">;

const reservedAt = ({ product_id, distribution_center_id }: SkuEntry): Lookup =>
  stockLookup(product_id, distribution_center_id);

/**
 * How many of each kit can be built now, from what is available of its components where their orders are reserved:
 * two round trips, however many kits there are. Answers a function that knows the kits that were asked for.
 */
export async function readKitStock(
  db: Database,
  accountId: number,
  kits: readonly Components[],
): Promise<(kit: Components) => KitStock> {
  const skus = new Set(kits.flatMap(({ items }) => items.map(({ sku }) => sku)));
  const entries = await findSkus(db, accountId, [...skus]);
  const find = await getItems(db, [...entries.values()].map(reservedAt));
  const levelOf = (sku: string) => {
    const entry = entries.get(sku);
    const item = entry === undefined ? undefined : find(reservedAt(entry));
    // Products are never removed, and their stock is opened before orders are reserved there.
    if (item === undefined) throw new Error(`the component ${sku} has no stock`);
    return parseStock(item);
  };
  return ({ items }) =>
    kitStock(
      items.map(({ sku, quantity }) => {
        const level = levelOf(sku);
        const { distribution_center } = level;
        return { sku, quantity, available: available(level), distribution_center };
      }),
    );
}
