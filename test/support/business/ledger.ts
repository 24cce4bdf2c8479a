import { expect } from "vitest";
import {
  type ProductBooks,
  readBooks,
  readClaims,
  StockSums,
  stockFaults,
} from "../../../infra/operator/verify/index.ts";
import { findSkus } from "../../../shared/catalog/name-repository.ts";
import type { Movement } from "../../../shared/stock/movements/movement.ts";
import { readMovements } from "../../../shared/stock/movements/read-movements.ts";
import { stockItemsOf } from "../../../shared/stock/stock-levels.ts";
import type { Owner } from "../records/flows.ts";

/** What is kept about a product in the tables, all distribution centers together. */
interface Figures {
  readonly on_hand: number;
  readonly reserved: number;
  readonly binned: number;
}

/** A product's figures, and what moved it. */
interface Ledger extends Figures {
  readonly movements: readonly Movement[];
}

interface Product {
  readonly sku: string;
  readonly product_id: number;
}

/** The account's products of these SKUs, in this order. */
async function productsOf(
  { db, accountId }: Owner,
  skus: readonly string[],
): Promise<readonly [Product, ...Product[]]> {
  const found = await findSkus(db, accountId, skus);
  const [first, ...others] = skus.map((sku) => {
    const entry = found.get(sku);
    if (entry === undefined) throw new Error(`${sku} is not there`);
    return { sku, product_id: entry.product_id };
  });
  if (first === undefined) throw new Error("no SKU is named");
  return [first, ...others];
}

const figuresOf = ({ levels, bins }: ProductBooks): Figures => ({
  on_hand: levels.reduce((sum, level) => sum + level.on_hand, 0),
  reserved: levels.reduce((sum, level) => sum + level.reserved, 0),
  binned: bins.reduce((sum, { content }) => sum + content.quantity, 0),
});

/** All movements of a product, oldest first. */
async function movementsOf({ db }: Owner, { product_id }: Product): Promise<readonly Movement[]> {
  const items = await stockItemsOf(db, product_id);
  const all = { page: 1, per_page: Number.MAX_SAFE_INTEGER, direction: "asc" } as const;
  return (await readMovements(db, product_id, items, all)).records;
}

/** Reads what the tables say about the account's product. */
export async function ledgerOf(owner: Owner, sku: string): Promise<Ledger> {
  const [product] = await productsOf(owner, [sku]);
  const books = await readBooks(owner.db, product.product_id);
  return { ...figuresOf(books), movements: await movementsOf(owner, product) };
}

/** Figures of a product whose books agree. */
interface Balance extends Figures {
  /** What is picked and has not left. */
  readonly picked: number;
  /** What all bins together will hold of the product once everything that is accepted is applied. */
  readonly expected: number;
}

/** What a check leaves out. */
interface Leniency {
  /**
   * Where a test reserves units without orders (false), movements still add up to what is reserved, and no
   * record claims any.
   */
  readonly ofOrders?: boolean;
}

/** What open records of the account claim. */
const claimsOf = async ({ db, accountId }: Owner, { ofOrders = true }: Leniency): Promise<StockSums> =>
  ofOrders ? (await readClaims(db, accountId)).sums : new StockSums();

/** Compares the books of a product with what open records claim of it. */
async function expectBooksOf(
  { db }: Owner,
  product: Product,
  claims: StockSums,
  { ofOrders = true }: Leniency,
): Promise<Balance> {
  const books = await readBooks(db, product.product_id);
  const found = stockFaults(product, books, claims).faults.flatMap(({ differences }) => differences);
  expect(found.filter(({ what }) => ofOrders || !what.endsWith("reserved"))).toEqual([]);
  for (const level of books.levels) expect(books.sums.at(level, "reserved").movements).toBe(level.reserved);
  const { product_id } = product;
  const picked = claims
    .centersOf(product_id)
    .map((center) => claims.at({ product_id, distribution_center_id: center }, "on_hand").records);
  return {
    ...figuresOf(books),
    picked: picked.reduce((sum, units) => sum + units, 0),
    expected: books.bins.reduce((sum, { content }) => sum + content.expected, 0),
  };
}

/**
 * Asserts what the operator's verification checks in the stock of products: levels, bins, movements and open
 * records agree (docs/decisions.md, Stock; docs/decisions.md, Movements). It can't judge an order that
 * changes meanwhile. What open records claim is read once for all of the products.
 */
export async function expectEachBalanced(
  owner: Owner,
  skus: readonly string[],
  leniency: Leniency = {},
): Promise<readonly Balance[]> {
  if (skus.length === 0) throw new Error("there is no product whose books could be read");
  const [products, sums] = await Promise.all([productsOf(owner, skus), claimsOf(owner, leniency)]);
  return Promise.all(products.map((product) => expectBooksOf(owner, product, sums, leniency)));
}

/** Asserts the same of one product. */
export async function expectBalance(owner: Owner, sku: string): Promise<Balance> {
  const [balance] = await expectEachBalanced(owner, [sku]);
  if (balance === undefined) throw new Error(`${sku} has no balance`);
  return balance;
}

/** Asserts the same of one product, and reads its movements, too. */
export async function expectBalanceAndMovements(
  owner: Owner,
  sku: string,
  leniency: Leniency = {},
): Promise<Balance & Ledger> {
  const [product] = await productsOf(owner, [sku]);
  const balance = await expectBooksOf(owner, product, await claimsOf(owner, leniency), leniency);
  return { ...balance, movements: await movementsOf(owner, product) };
}
