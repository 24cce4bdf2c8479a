import * as z from "zod/mini";
import { findProducts, products } from "../../../../shared/catalog/products/product-repository.ts";
import { productRecord } from "../../../../shared/catalog/products/product-view.ts";
import { name } from "../../../../shared/common/fields.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, orderDirection, pageOfAll, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";

const query = z.object({
  ...pageQuery(),
  sku: z.optional(name),
  order_by: z._default(oneOf(["ProductID"]), "ProductID"),
  order_direction: orderDirection,
});

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/products",
    summary: "List products",
    request: z.object({ query }),
    record: productRecord,
    access: { inventory: "read", "inventory/cells": "read", tallies: "read" },
  },
  async ({ query: { sku, order_direction: direction, ...page } }, { db, account_id }) => {
    if (sku === undefined) return readList(products, db, account_id, { ...page, direction });
    const found = [...(await findProducts(db, account_id, [sku])).values()];
    return pageOfAll(
      found.map(({ record }) => record),
      page,
    );
  },
);

export const handler = lambda(endpoint);
