/** Goods that lie in bins of `MAIN`, put there by few transactions: for what a test only begins with. */
import { demoBins } from "../../../infra/demo/registry.ts";
import { changeBin } from "../../../shared/stock/bins/bin-repository.ts";
import type { Layer } from "../../../shared/stock/bins/goods.ts";
import { moveStock } from "../../../shared/stock/open-stock.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { oneByOne } from "../http/one-by-one.ts";
import type { Owner } from "../records/flows.ts";
import { type Contents, contentsByBin, type NewProduct, newProduct, newProducts } from "./world.ts";

/** What a bin holds of a product. */
export interface Lying {
  /** The bin's name: `A1/01`. */
  readonly bin: string;
  readonly quantity: number;
  /** What is known of the units; nothing without. */
  readonly layers?: readonly Layer[];
}

const center = { distribution_center_id: 1, distribution_center: "MAIN" };

/** The bin of `MAIN` with this name, as records hold it. */
function binOf(name: string) {
  const found = demoBins.find(({ location, bin }) => `${location}/${bin}` === name);
  if (found === undefined) throw new Error(`there is no bin ${name}`);
  const { bin_id, location, bin } = found;
  return { bin_id, location, bin, distribution_center_id: center.distribution_center_id };
}

/** What puts goods of a product into bins, with one movement that explains all of them. */
function writesOf(account_id: number, product: NewProduct, lying: readonly Lying[]): readonly Write[] {
  const at = new Date().toISOString();
  const cause = { reason: "recount", reference: { correction_id: 1 }, by: "test", at } as const;
  const units = lying.reduce((sum, { quantity }) => sum + quantity, 0);
  return [
    ...lying.flatMap(({ bin, quantity, layers = [] }) =>
      changeBin({ account_id, ...product, ...binOf(bin) }, undefined, { quantity, layers }, at),
    ),
    ...moveStock({ account_id, ...product, ...center }, units, cause, true),
  ];
}

/** Products that fit one transaction: each has two writes for each bin, and two for its stock. */
const together = (bins: number): number => Math.floor(90 / (2 * bins + 2));

/** Puts these goods of each product into bins that have never held it. */
export async function layOut(
  { db, accountId }: Owner,
  products: readonly NewProduct[],
  lying: readonly Lying[],
): Promise<void> {
  const size = together(lying.length);
  for (let start = 0; start < products.length; start += size)
    await transact(
      db,
      products.slice(start, start + size).flatMap((product) => writesOf(accountId, product, lying)),
    );
}

/** Makes so many products whose goods lie so, and hands out each of them once. */
export async function stockpile(
  owner: Owner,
  count: number,
  lying: readonly Lying[],
): Promise<() => NewProduct> {
  const products = await newProducts(owner, count);
  await layOut(owner, products, lying);
  return oneByOne(products);
}

/** A new product that lies so in its bins, as `stockedProduct` makes it, with a third of the calls. */
export async function goodsOf(owner: Owner, contents: Contents): Promise<NewProduct> {
  const product = await newProduct(owner);
  const lying = Object.entries(contentsByBin(contents)).map(([bin, quantity]) => ({ bin, quantity }));
  await layOut(owner, [product], lying);
  return product;
}
