import { expect } from "vitest";
import { binsOf } from "../../shared/data/bins.ts";
import type { Database } from "../../shared/data/database.ts";
import { readMovements } from "../../shared/data/movements.ts";
import { findProducts } from "../../shared/data/products.ts";
import { parseStock, stockItemsOf } from "../../shared/data/stock.ts";
import type { Movement } from "../../shared/domain/stock.ts";

/** What is kept about a product in the tables: stock, bins, movements. */
export interface Ledger {
  readonly on_hand: number;
  readonly reserved: number;
  readonly binned: number;
  readonly movements: readonly Movement[];
}

const sum = (movements: readonly Movement[], name: "on_hand" | "reserved"): number =>
  movements.reduce((total, { [name]: value }) => total + value, 0);

async function allMovements(db: Database, productId: number): Promise<readonly Movement[]> {
  const items = await stockItemsOf(db, productId);
  const all: Movement[] = [];
  for (let page = 1; ; page += 1) {
    const { movements, total } = await readMovements(db, productId, items, {
      page,
      perPage: 100,
      direction: "asc",
    });
    all.push(...movements);
    if (all.length >= total || movements.length === 0) return all;
  }
}

/** Reads what the tables say about account 100's product, all distribution centers together. */
export async function ledgerOf(db: Database, sku: string): Promise<Ledger> {
  const product = (await findProducts(db, 100, [sku])).get(sku);
  if (product === undefined) throw new Error(`${sku} is not there`);
  const { product_id } = product;
  const levels = (await stockItemsOf(db, product_id)).map(parseStock);
  const bins = await binsOf(db, product_id);
  const movements = await allMovements(db, product_id);
  return {
    on_hand: levels.reduce((total, { on_hand }) => total + on_hand, 0),
    reserved: levels.reduce((total, { reserved }) => total + reserved, 0),
    binned: bins.reduce((total, { quantity }) => total + quantity, 0),
    movements,
  };
}

/** Holds that movements add up to stock, and that what is on hand lies in the bins (nothing is picked here). */
export async function expectBalanced(db: Database, sku: string): Promise<Ledger> {
  const ledger = await ledgerOf(db, sku);
  expect({ on_hand: sum(ledger.movements, "on_hand"), reserved: sum(ledger.movements, "reserved") }).toEqual({
    on_hand: ledger.on_hand,
    reserved: ledger.reserved,
  });
  expect(ledger.binned).toBe(ledger.on_hand);
  return ledger;
}
