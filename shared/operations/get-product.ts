import { findProducts, products } from "../data/products.ts";
import type { Product } from "../domain/catalog/product.ts";
import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";

/**
 * The account's product with this id or, where no product has it, with this SKU.
 * @throws Problem `not_found`
 */
export async function getProduct(db: Database, accountId: number, identifier: string): Promise<Product> {
  const productId = idIn(identifier);
  const [byId, bySku] = await Promise.all([
    productId === undefined ? undefined : products.find(db, accountId, productId),
    findProducts(db, accountId, [identifier]),
  ]);
  const found = byId ?? bySku.get(identifier);
  if (found === undefined) throw notFound(`There is no product with the id or SKU ${identifier}`);
  return found;
}
