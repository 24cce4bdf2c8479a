import { findSkus } from "../data/products.ts";
import { batchesSince, findSerial } from "../data/serials.ts";
import { notFound } from "../domain/problem.ts";
import type { Serial } from "../domain/serials/serial.ts";
import { attributesOf } from "../domain/serials/serial-batch.ts";
import type { Database } from "../store/database.ts";

/** A serial with the attributes that batches have given it. */
export interface DescribedSerial extends Serial {
  readonly sku: string;
  readonly attributes: ReturnType<typeof attributesOf>;
}

/**
 * The serial of one of the account's products. Its cost grows with the product's batches since it was created, which
 * are all read.
 * @throws Problem `not_found`
 */
export async function getSerial(
  db: Database,
  accountId: number,
  sku: string,
  text: string,
): Promise<DescribedSerial> {
  const product = (await findSkus(db, accountId, [sku])).get(sku);
  if (product === undefined) throw notFound(`There is no product with the SKU ${sku}`);
  const found = await findSerial(db, product.product_id, text);
  if (found === undefined) throw notFound(`The product ${sku} has no serial ${text}`);
  const batches = await batchesSince(db, product.product_id, found.created_at);
  return { ...found, sku, attributes: attributesOf(found, batches) };
}
