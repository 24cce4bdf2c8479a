import { randomUUID } from "node:crypto";
import { findSkus } from "../data/products.ts";
import { latestBatches, type SerialsDraft, serialLookup } from "../data/serials.ts";
import { resolveSerials, type SerialsInput } from "../domain/serials/serial.ts";
import { madeAfter } from "../domain/serials/serial-batch.ts";
import type { Database } from "../store/database.ts";
import { getItems } from "../store/reads.ts";

/**
 * What a call that creates serials is to store, record by record: two round trips.
 * @throws Problem `invalid` where a SKU is unknown, or a serial exists or is repeated
 */
export async function draftSerials(
  db: Database,
  { account_id, now }: { readonly account_id: number; readonly now: string },
  inputs: readonly SerialsInput[],
): Promise<readonly SerialsDraft[]> {
  const skus = inputs.map(({ sku }) => sku);
  const products = await findSkus(db, account_id, skus);
  const productId = (sku: string) => products.get(sku)?.product_id;
  const asked = inputs.flatMap(({ sku, serials }) => {
    const id = productId(sku);
    return id === undefined ? [] : serials.map((serial) => serialLookup(id, serial));
  });
  const [find, latest] = await Promise.all([
    getItems(db, asked),
    latestBatches(
      db,
      [...products.values()].map(({ product_id }) => product_id),
    ),
  ]);
  const isTaken = (id: number, serial: string) => find(serialLookup(id, serial)) !== undefined;
  const receipt = randomUUID();
  return resolveSerials(inputs, { productId, isTaken }).map((resolved, record) => {
    const created_at = madeAfter(now, [latest.get(resolved.product_id) ?? ""]);
    return { ...resolved, created_at, receipt, record };
  });
}
