import { expect } from "vitest";
import { binContents, binsOf, waitingIn } from "../../shared/data/bins.ts";
import { readMovements } from "../../shared/data/movements.ts";
import { orderFacets, readOrders } from "../../shared/data/orders.ts";
import { findProducts } from "../../shared/data/products.ts";
import { levelsIn, stockItemsOf } from "../../shared/data/stock.ts";
import { type Order, statusIds } from "../../shared/domain/orders/order.ts";
import type { Movement } from "../../shared/domain/stock/stock.ts";
import { recordsOf } from "../../shared/store/lists/block-list.ts";
import { queryRange } from "../../shared/store/reads.ts";
import type { Owner } from "./flows.ts";

/** What is kept about a product in the tables: stock, bins, what is picked and not yet shipped, movements. */
export interface Ledger {
  readonly on_hand: number;
  readonly reserved: number;
  readonly binned: number;
  readonly picked: number;
  readonly movements: readonly Movement[];
}

const sum = (movements: readonly Movement[], name: "on_hand" | "reserved"): number =>
  movements.reduce((total, { [name]: value }) => total + value, 0);

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

/** A product's bins, and how much each will hold once the corrections are applied that it notes. */
async function expectationsOf(owner: Owner, sku: string) {
  const product = (await findProducts(owner.db, owner.accountId, [sku])).get(sku);
  const items = await queryRange(owner.db, recordsOf(binContents.list, product?.product_id ?? 0));
  return items.map((item) => {
    const { location, bin, quantity, expected } = binContents.parse(item);
    const waiting = waitingIn(item).reduce((sum, { difference }) => sum + difference, 0);
    return { place: `${location}/${bin}`, expected, comes_to: quantity + waiting };
  });
}

/**
 * Holds that movements add up to stock, and that what is on hand lies in the bins or is picked and not yet shipped
 * (docs/decisions.md, Stock); and that each bin will hold what it holds and what is queued for it (Recounts). Tells
 * nothing of an order that changes meanwhile.
 */
export async function expectBalanced(owner: Owner, sku: string): Promise<Balanced> {
  const ledger = await ledgerOf(owner, sku);
  const expectations = await expectationsOf(owner, sku);
  for (const { place, expected, comes_to } of expectations)
    expect({ place, expected }).toEqual({ place, expected: comes_to });
  expect({ on_hand: sum(ledger.movements, "on_hand"), reserved: sum(ledger.movements, "reserved") }).toEqual({
    on_hand: ledger.on_hand,
    reserved: ledger.reserved,
  });
  expect(ledger.binned + ledger.picked).toBe(ledger.on_hand);
  return { ...ledger, expected: expectations.reduce((sum, { expected }) => sum + expected, 0) };
}
