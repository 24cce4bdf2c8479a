import type { Database } from "../data/database.ts";
import { findProduct, findProducts } from "../data/products.ts";
import { notFound } from "../domain/problem.ts";
import type { Product } from "../domain/product.ts";

/** Text that can be an id. */
const idText = /^[1-9]\d{0,11}$/;

/**
 * The account's product with this id.
 * @throws Problem `not_found`
 */
export async function getProductById(db: Database, accountId: number, id: string): Promise<Product> {
  const found = idText.test(id) ? await findProduct(db, accountId, Number(id)) : undefined;
  if (found === undefined) throw notFound(`There is no product with product_id ${id}`);
  return found;
}

/**
 * The account's product with this id or, where no product has it, with this SKU.
 * @throws Problem `not_found`
 */
export async function getProduct(db: Database, accountId: number, identifier: string): Promise<Product> {
  const [byId, bySku] = await Promise.all([
    idText.test(identifier) ? findProduct(db, accountId, Number(identifier)) : undefined,
    findProducts(db, accountId, [identifier]),
  ]);
  const found = byId ?? bySku.get(identifier);
  if (found === undefined) throw notFound(`There is no product with the id or SKU ${identifier}`);
  return found;
}
