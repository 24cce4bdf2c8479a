import { findSkus } from "../catalog/name-repository.ts";
import type { Synset } from "../catalog/synsets/synset.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { type KitStock, kitStock } from "./kit-stock.ts";
import { available } from "./stock.ts";
import { readLevels } from "./stock-repository.ts";

type Components = Pick<Synset, "items">;

/**
 * Reads how many of each kit can be built now, from the available stock of its components where their orders
 * are reserved. Takes two round trips for any number of kits, and one more if a product's stock is sharded.
 * @returns a function that gives the stock of each requested kit
 */
export async function readKitStock(
  db: Database,
  accountId: number,
  kits: readonly Components[],
): Promise<(kit: Components) => KitStock> {
  const skus = new Set(kits.flatMap(({ items }) => items.map(({ sku }) => sku)));
  const entries = await findSkus(db, accountId, [...skus]);
  const levelAt = await readLevels(db, [...entries.values()]);
  const levelOf = (sku: string) => {
    const entry = entries.get(sku);
    const level = entry === undefined ? undefined : levelAt(entry);
    // Products are never removed, and a center has stock of a product before orders are reserved there.
    if (level === undefined) throw new Error(`the component ${sku} has no stock`);
    return level;
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
