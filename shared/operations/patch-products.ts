import { readProductReferences } from "../data/product-references.ts";
import { findProducts, moveToCenter, products } from "../data/products.ts";
import { keptStock, type StockPlace } from "../data/stock.ts";
import { type Product, type ProductPatch, patched } from "../domain/catalog/product.ts";
import { type Center, referenceErrors, repeatedSkus } from "../domain/catalog/product-references.ts";
import { invalidAt, notFound, type Problem } from "../domain/problem.ts";
import { type Outcome, type Plan, storeEach } from "../store/bulk.ts";
import type { Database } from "../store/database.ts";

/**
 * Changes the fields that were sent of products found by SKU. A product that is given another distribution center has
 * its later orders reserved there; what is reserved already stays where it is.
 * @throws Problem `not_found` or `invalid`, with nothing stored, where any record is wrong
 */
export async function patchProducts(
  db: Database,
  { account_id, now }: { readonly account_id: number; readonly now: string },
  patches: readonly ProductPatch[],
): Promise<readonly Outcome<Product>[]> {
  const repeated = repeatedSkus(patches);
  if (repeated.length > 0) throw invalidAt(repeated);
  const records = patches.map((sent, position) => ({ sent, path: `data.${position}` }));
  return storeEach(db, records, async (open) => {
    const sent = open.map((record) => record.sent);
    const [references, found] = await Promise.all([
      readProductReferences(db, account_id, sent),
      findProducts(
        db,
        account_id,
        sent.map(({ sku }) => sku),
      ),
    ]);
    const moves = sent.flatMap(({ sku, distribution_center }) => {
      const [product, center] = [found.get(sku), references.center(distribution_center)];
      const moved = distribution_center !== undefined && product?.distribution_center !== distribution_center;
      return moved && product !== undefined && center !== undefined ? [{ product, center }] : [];
    });
    const isKept = await keptStock(db, moves.map(placeOf));
    return open.map((record): Plan<Product> => {
      const before = found.get(record.sent.sku);
      if (before === undefined) return { problem: unknownSku(record.sent.sku, record.path) };
      const errors = referenceErrors(record.sent, references, record.path);
      if (errors.length > 0) return { problem: invalidAt(errors) };
      const after = patched(before, record.sent, now);
      const move = moves.find(({ product }) => product === before);
      const moving = move === undefined ? [] : moveToCenter(after, move.center, isKept(placeOf(move)));
      return { result: after, writes: [...products.save(before, after), ...moving] };
    });
  });
}

/** Where a product is to be kept. */
const placeOf = ({
  product,
  center,
}: {
  readonly product: Product;
  readonly center: Center;
}): StockPlace => ({
  product_id: product.product_id,
  distribution_center_id: center.distribution_center_id,
});

const unknownSku = (sku: string, path: string): Problem =>
  notFound(`There is no product with the SKU ${sku}`, [
    { path: `${path}.sku`, message: `names no product (${sku})` },
  ]);
