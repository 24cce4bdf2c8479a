import { type Product, patchProduct, productPatch } from "../../../../shared/catalog/products/product.ts";
import {
  type Center,
  readProductReferences,
  referenceErrors,
} from "../../../../shared/catalog/products/product-references.ts";
import { findProducts, products } from "../../../../shared/catalog/products/product-repository.ts";
import { productReadOnly, productRecord } from "../../../../shared/catalog/products/product-view.ts";
import { invalidAt } from "../../../../shared/common/problem.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { patchEach } from "../../../../shared/http/bulk/patch-each.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";
import { readStocked } from "../../../../shared/stock/open-stock.ts";
import { moveToCenter } from "../../../../shared/stock/product-stock.ts";
import type { StockKey } from "../../../../shared/stock/stock.ts";
import { withEffects } from "../../../../shared/store/dynamodb/writes.ts";

/**
 * Once a product is given another center, later orders are reserved there. Earlier reservations stay where
 * they are.
 */
export const { endpoint, handler } = defineBulk(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/products",
    summary: "Change products, found by SKU",
    input: productPatch,
    record: productRecord,
    readOnly: productReadOnly,
    bodyNamesRecord: true,
    takesVersion: true,
    access: {
      inventory: "write-records",
      ...registryReadAccess("suppliers", "packageTypes", "distributionCenters"),
    },
  },
  async (data, context) => {
    const { db, account_id, now } = context;
    return patchEach(context, data, {
      title: "product",
      nameOf: ({ sku }) => ({ field: "sku", value: sku, words: `product with the SKU ${sku}` }),
      read: async (sent) => {
        const skus = sent.map(({ sku }) => sku);
        const [references, found] = await Promise.all([
          readProductReferences(db, account_id, sent),
          findProducts(db, account_id, skus),
        ]);
        return { references, find: ({ sku }) => found.get(sku) };
      },
      plan: async (found, references) => {
        const moves = found.map(({ before, value: { distribution_center: code } }) =>
          code === undefined || code === before.record.distribution_center
            ? undefined
            : moveOf(before.record, references.center(code)),
        );
        const isStocked = await readStocked(
          db,
          moves.filter((move) => move !== undefined),
        );
        return found.map(({ before, value: sent, path }, index) => {
          const errors = referenceErrors(sent, references, path);
          if (errors.length > 0) return { problem: invalidAt(errors) };
          const after = patchProduct(before.record, sent, now);
          const move = moves[index];
          const moving = move === undefined ? [] : moveToCenter(after, move.center, isStocked(move));
          return { result: after, writes: withEffects(products.save(before, after), moving) };
        });
      },
    });
  },
);

/**
 * The center that will keep the product. Undefined if it is not registered, which `referenceErrors` reports.
 */
const moveOf = (
  { product_id }: Product,
  center: Center | undefined,
): (StockKey & { readonly center: Center }) | undefined =>
  center === undefined
    ? undefined
    : { product_id, distribution_center_id: center.distribution_center_id, center };
