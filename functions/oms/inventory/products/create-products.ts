import { newProduct, productInput } from "../../../../shared/catalog/products/product.ts";
import { productList } from "../../../../shared/catalog/products/product-lists.ts";
import {
  readProductReferences,
  resolveNewProducts,
} from "../../../../shared/catalog/products/product-references.ts";
import { productRecord } from "../../../../shared/catalog/products/product-view.ts";
import { valuesOf } from "../../../../shared/common/placed.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";
import { insertProductWithStock } from "../../../../shared/stock/product-stock.ts";
import { lookupAccess } from "../../../../shared/store/lookup-index.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/products",
    summary: "Create products",
    input: productInput,
    record: productRecord,
    access: {
      inventory: "write-records",
      ...lookupAccess,
      ...registryReadAccess("suppliers", "packageTypes", "distributionCenters"),
    },
  },
  async (data, context) => {
    const { db, account_id } = context;
    return createEach(context, {
      list: productList,
      inputs: resolveNewProducts(data, await readProductReferences(db, account_id, valuesOf(data))),
      plan: (drafts) =>
        drafts.map(({ value: { input, center }, id, at, path }) => {
          const product = newProduct(input, { account_id, product_id: id, at });
          return { result: product, writes: insertProductWithStock(product, center, `${path}.sku`) };
        }),
    });
  },
);
