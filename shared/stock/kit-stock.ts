/** Stock of kits. A kit has no stock of its own: its components limit how many can be built. */

import { findSkus } from "../catalog/name-repository.ts";
import type { Synset } from "../catalog/synsets/synset.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { currentStockAt } from "./holds/current-stock.ts";
import { available } from "./stock.ts";

/** Stock of one component of a kit, in units, in the center where its orders are reserved. */
export interface ComponentStock {
  readonly sku: string;
  /** Units needed for one kit. */
  readonly quantity: number;
  /** Negative if there is a backorder. */
  readonly available: number;
  /** Code of the distribution center. */
  readonly distribution_center: string;
}

export interface KitStock {
  /** How many kits can be built now; never negative. */
  readonly available: number;
  /** SKU of the component that runs out first; if several do, the first of them in the kit. */
  readonly limited_by: string;
  /** Code of the center where all components are reserved; null if there are several centers. */
  readonly distribution_center: string | null;
}

/** Stock of an account's kit. `sku` is the kit's name. */
export interface KitLevel extends KitStock {
  readonly sku: string;
  readonly synset_id: number;
}

/** The stock of a kit with these components, of which there is at least one. */
export function stockOfKit(components: readonly ComponentStock[]): KitStock {
  const [first, ...others] = components.map(({ sku, quantity, available }) => ({
    available: Math.floor(Math.max(0, available) / quantity),
    limited_by: sku,
  }));
  if (first === undefined) throw new Error("a kit has no components");
  const least = others.reduce((least, other) => (other.available < least.available ? other : least), first);
  return { ...least, distribution_center: onlyCenter(components) };
}

function onlyCenter(components: readonly ComponentStock[]): string | null {
  const [center, ...others] = new Set(components.map(({ distribution_center }) => distribution_center));
  return center === undefined || others.length > 0 ? null : center;
}

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
  const current = await currentStockAt(db, [...entries.values()]);
  const levels = new Map(current.map((level) => [level.sku, level]));
  const levelOf = (sku: string) => {
    const level = levels.get(sku);
    // Products are never removed, and a center has stock of a product before orders are reserved there.
    if (level === undefined) throw new Error(`the component ${sku} has no stock`);
    return level;
  };
  return ({ items }) =>
    stockOfKit(
      items.map(({ sku, quantity }) => {
        const level = levelOf(sku);
        const { distribution_center } = level;
        return { sku, quantity, available: available(level), distribution_center };
      }),
    );
}
