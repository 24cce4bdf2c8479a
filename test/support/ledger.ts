import { expect } from "vitest";
import { binsOf } from "../../shared/data/bins.ts";
import { readClaims } from "../../shared/data/claims.ts";
import { readMovements } from "../../shared/data/movements.ts";
import { orderFacets, readOrders } from "../../shared/data/orders.ts";
import { findProducts } from "../../shared/data/products.ts";
import { levelsIn, stockItemsOf } from "../../shared/data/stock.ts";
import { readBooks } from "../../shared/data/stock-books.ts";
import { type Order, statusIds } from "../../shared/domain/orders/order.ts";
import type { Movement } from "../../shared/domain/stock/stock.ts";
import { stockFaults } from "../../shared/operations/verify/stock-faults.ts";
import type { Owner } from "./flows.ts";

/** What is kept about a product in the tables: stock, bins, what is picked and not yet shipped, movements. */
export interface Ledger {
  readonly on_hand: number;
  readonly reserved: number;
  readonly binned: number;
  readonly picked: number;
  readonly movements: readonly Movement[];
}

/** All pages of a list, one after another. */
async function allOf<T>(
  read: (request: {
    readonly page: number;
    readonly per_page: number;
    readonly direction: "asc";
  }) => Promise<readonly [records: readonly T[], total: number]>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const [records, total] = await read({ page, per_page: 100, direction: "asc" });
    all.push(...records);
    if (all.length >= total || records.length === 0) return all;
  }
}

const processing = ({ db, accountId }: Owner): Promise<readonly Order[]> =>
  allOf(async (request) => {
    const open = orderFacets.matching({ status: statusIds.Processing });
    const { records, total } = await readOrders(db, accountId, { ...request, ...open });
    return [records, total];
  });

/** Reads what the tables say about the account's product, all distribution centers together. */
export async function ledgerOf(owner: Owner, sku: string): Promise<Ledger> {
  const { db, accountId } = owner;
  const product = (await findProducts(db, accountId, [sku])).get(sku);
  if (product === undefined) throw new Error(`${sku} is not there`);
  const { product_id } = product;
  const items = await stockItemsOf(db, product_id);
  const levels = levelsIn(items);
  const bins = await binsOf(db, product_id);
  const picks = (await processing(owner)).flatMap((order) => order.picks);
  const movements = await allOf(async (request) => {
    const page = await readMovements(db, product_id, items, request);
    return [page.records, page.total];
  });
  return {
    on_hand: levels.reduce((total, { on_hand }) => total + on_hand, 0),
    reserved: levels.reduce((total, { reserved }) => total + reserved, 0),
    binned: bins.reduce((total, { quantity }) => total + quantity, 0),
    picked: picks.reduce((total, pick) => total + (pick.product_id === product_id ? pick.quantity : 0), 0),
    movements,
  };
}

/** A ledger, and what all bins together will hold of the product once everything that is accepted is applied. */
interface Balanced extends Ledger {
  readonly expected: number;
}

/**
 * Holds what the operator's verification holds of a product's stock: levels, bins, movements and open records agree
 * (docs/decisions.md, Stock; docs/decisions.md, Movements). Tells nothing of an order that changes meanwhile. Where a test
 * reserves units without orders (`ofOrders` false), movements still add up to what is reserved.
 */
export async function expectBalanced(
  owner: Owner,
  sku: string,
  { ofOrders = true }: { readonly ofOrders?: boolean } = {},
): Promise<Balanced> {
  const { db, accountId } = owner;
  const product = (await findProducts(db, accountId, [sku])).get(sku);
  if (product === undefined) throw new Error(`${sku} is not there`);
  const books = await readBooks(db, product.product_id);
  const { sums } = await readClaims(db, accountId);
  const found = stockFaults(product, books, sums).flatMap(({ differences }) => differences);
  const meant = found.filter(({ what }) => ofOrders || !what.endsWith("reserved"));
  expect(meant).toEqual([]);
  for (const { moved, level } of books.centers) expect(moved.reserved).toBe(level.reserved);
  const expected = books.bins.reduce((sum, { content }) => sum + content.expected, 0);
  return { ...(await ledgerOf(owner, sku)), expected };
}
