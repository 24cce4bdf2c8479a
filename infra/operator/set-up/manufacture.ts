/** How manufacture orders are stored, which operators set up for accounts. */

import { findSkus } from "../../../shared/catalog/name-repository.ts";
import { invalid } from "../../../shared/common/problem.ts";
import {
  type ManufactureInput,
  type ManufactureOrder,
  type ManufactureTerms,
  newManufactureOrder,
  updateManufactureOrder,
} from "../../../shared/registries/manufacture/manufacture-order.ts";
import {
  findManufactureNumber,
  manufactureList,
  manufactureOrders,
} from "../../../shared/registries/manufacture/manufacture-repository.ts";
import { readLevels } from "../../../shared/stock/stock-levels.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact, untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";

/**
 * Sets up a manufacture order of an account. An order that has the number already is overwritten, and keeps
 * its id.
 * @throws Problem `invalid` if the account has no product with the SKU
 */
export const putManufactureOrder = (
  db: Database,
  accountId: number,
  input: ManufactureInput,
): Promise<ManufactureOrder> =>
  untilFresh(db, async () => {
    const [terms, before] = await Promise.all([
      termsOf(db, accountId, input),
      findManufactureNumber(db, accountId, input.manufacture_number),
    ]);
    if (before !== undefined) {
      const after = updateManufactureOrder(before.record, terms, new Date().toISOString());
      await transact(db, manufactureOrders.save(before, after));
      return after;
    }
    const { firstId, at } = await allocate(db, manufactureList, String(accountId), 1);
    const created = newManufactureOrder(terms, { account_id: accountId, manufacture_id: firstId, at });
    await transact(db, manufactureOrders.insert(created));
    return created;
  });

async function termsOf(db: Database, accountId: number, input: ManufactureInput): Promise<ManufactureTerms> {
  const product = (await findSkus(db, accountId, [input.sku])).get(input.sku);
  if (product === undefined) throw invalid(`Account ${accountId} has no product with the SKU ${input.sku}`);
  const { product_id, distribution_center_id } = product;
  const levelAt = await readLevels(db, [{ product_id, distribution_center_id }]);
  const stock = levelAt({ product_id, distribution_center_id });
  if (stock === undefined) throw new Error(`no stock of product ${product_id} was opened in its center`);
  return { ...input, product_id, distribution_center: stock.distribution_center };
}
