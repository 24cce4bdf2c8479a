/** Moves goods of any account from one bin to another. */

import { findSku } from "../../catalog/name-repository.ts";
import { skuError } from "../../catalog/names.ts";
import { type Product, product } from "../../catalog/products/product.ts";
import { productLookup, productsNamed } from "../../catalog/products/product-repository.ts";
import { invalidAt, notFound } from "../../common/problem.ts";
import type { Bin } from "../../registries/registry-repository.ts";
import type { Context } from "../../runtime/context.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { type FindItem, getItems, parsed } from "../../store/dynamodb/reads.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import type { RecordWrites, Write } from "../../store/dynamodb/writes.ts";
import { storeOnce } from "../../store/idempotency.ts";
import type { Cause } from "../movements/movement.ts";
import { moveStock, readStocked } from "../open-stock.ts";
import { binContent, binContentLookup, changeBin, goodsIn } from "./bin-repository.ts";
import type { Layer } from "./goods.ts";
import { takeGoods, withAdded } from "./layers.ts";
import { type BinName, namedBin, namedBinLookup, notTooMixed, unknownBins } from "./named-bins.ts";
import { inPickSequence } from "./pick-sequence.ts";

/** A product by its id or its SKU. A SKU needs the account, unless only one account has it. */
interface ProductName {
  readonly product_id?: number | undefined;
  readonly sku?: string | undefined;
  readonly account_id?: number | undefined;
}

/** At least one unit to move from one bin to another. */
interface GoodsMove {
  readonly quantity: number;
  readonly from: BinName;
  readonly to: BinName;
}

export interface MovedGoods {
  readonly product: Product;
  readonly quantity: number;
  readonly from: Bin;
  readonly to: Bin;
  /** The moved goods whose day of arrival is known, by day, lot and expiry. */
  readonly layers: readonly Layer[];
}

/**
 * Moves goods between bins. Goods that would be picked first are moved first, and they keep their lot and
 * their day of arrival. A move between distribution centers changes the stock of both, with a movement for
 * each.
 * @throws Problem `not_found` if no product has this id; `invalid`, with nothing changed, if the SKU names no
 * product or several, a bin is unknown, both bins are the same, or the first bin does not hold that much
 * @returns the result of `answer` for the move
 */
export async function moveGoods<A extends object>(
  context: Context,
  name: ProductName,
  move: GoodsMove,
  answer: (moved: MovedGoods) => A,
): Promise<A> {
  const { db } = context;
  const productId = await productIdOf(db, name);
  return untilFresh(db, async () => {
    const { moved, writes } = await planMove(context, productId, move);
    return storeOnce(context, [...writes, ...(await stockMoved(context, moved))], answer(moved));
  });
}

/**
 * The id of the named product. An id is not looked up. @throws Problem `invalid` if a SKU names none or
 * several
 */
async function productIdOf(db: Database, { product_id, sku, account_id }: ProductName): Promise<number> {
  if (product_id !== undefined) {
    const superfluous = sku !== undefined ? "sku" : account_id !== undefined ? "account_id" : undefined;
    if (superfluous === undefined) return product_id;
    throw invalidAt([{ path: superfluous, message: "must be left out where product_id is given" }]);
  }
  if (sku === undefined) {
    throw invalidAt([{ path: "product_id", message: "is required where sku is not given" }]);
  }
  if (account_id !== undefined) {
    const found = await findSku(db, account_id, sku);
    if (found !== undefined) return found.product_id;
    const message = `is not a known SKU of account ${account_id} (${sku})`;
    throw invalidAt([{ path: "sku", message, code: "unknown_reference" }]);
  }
  const [found, ...others] = await productsNamed(db, sku);
  if (found === undefined) throw invalidAt([skuError(sku)]);
  if (others.length === 0) return found.product_id;
  const message = `is required: more than one account has ${sku}`;
  throw invalidAt([{ path: "account_id", message }]);
}

/** Plans the changes of both bins. */
async function planMove(
  { db, now }: Context,
  productId: number,
  move: GoodsMove,
): Promise<{ readonly moved: MovedGoods; readonly writes: RecordWrites }> {
  const { quantity } = move;
  const lookups = {
    from: binContentLookup(productId, move.from.location, move.from.bin),
    to: binContentLookup(productId, move.to.location, move.to.bin),
  };
  const find = await getItems(db, [
    productLookup(productId),
    ...[move.from, move.to].map(namedBinLookup),
    ...Object.values(lookups),
  ]);
  const goods = parsed(product, find(productLookup(productId)));
  if (goods === undefined) throw notFound(`There is no product with product_id ${productId}`);
  const { from, to } = await binsOfMove(db, find, move);
  const [source, target] = [parsed(binContent, find(lookups.from)), parsed(binContent, find(lookups.to))];
  const stored = goodsIn(source);
  if (stored.quantity < quantity)
    throw invalidAt([
      { path: "quantity", message: `is more than lies in ${placeOf(from)} (${stored.quantity})` },
    ]);
  const { left, taken } = takeGoods(stored, quantity, (layers) => inPickSequence(layers, goods.pick_style));
  const after = notTooMixed(withAdded(goodsIn(target), quantity, taken.layers), "to.bin");
  const { account_id, sku } = goods;
  const inBin = (bin: Bin) => ({ account_id, product_id: productId, sku, ...bin });
  return {
    moved: { product: goods, quantity, from, to, layers: taken.layers },
    writes: [...changeBin(inBin(from), source, left, now), ...changeBin(inBin(to), target, after, now)],
  };
}

/** The bins that a move names. @throws Problem `invalid` if one is unknown, or both are the same */
async function binsOfMove(
  db: Database,
  find: FindItem,
  move: GoodsMove,
): Promise<{ readonly from: Bin; readonly to: Bin }> {
  const [from, to] = [namedBin(find, move.from), namedBin(find, move.to)];
  if (from === undefined || to === undefined) {
    const named = [
      { name: move.from, path: "from." },
      { name: move.to, path: "to." },
    ];
    throw invalidAt([...(await unknownBins(db, named)).values()]);
  }
  if (from.bin_id === to.bin_id)
    throw invalidAt([{ path: "to", message: `is where the goods lie (${placeOf(from)})` }]);
  return { from, to };
}

const placeOf = ({ location, bin }: Bin): string => `${location}/${bin}`;

/**
 * The writes that move stock to another distribution center, which may not keep the product yet; none if the
 * goods stay in their center.
 */
async function stockMoved(
  { db, actor, now }: Context,
  { product: { account_id, product_id, sku }, quantity, from, to }: MovedGoods,
): Promise<readonly Write[]> {
  if (from.distribution_center_id === to.distribution_center_id) return [];
  const cause: Cause = { reason: "bin_move", reference: {}, by: actor, at: now };
  const inCenter = (bin: Bin) => ({ account_id, product_id, sku, ...bin });
  const [source, target] = [inCenter(from), inCenter(to)];
  const isStocked = await readStocked(db, [source, target]);
  return [
    ...moveStock(source, -quantity, cause, isStocked(source)),
    ...moveStock(target, quantity, cause, isStocked(target)),
  ];
}
