import * as z from "zod/mini";
import { findProducts, products } from "../../../../shared/catalog/products/product-repository.ts";
import { productRecord } from "../../../../shared/catalog/products/product-view.ts";
import { parseId } from "../../../../shared/common/fields.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { defineRead, idOrName } from "../../../../shared/http/lists/define-read.ts";
import { oneOf } from "../../../../shared/http/lists/pagination.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/products/{prod_identifier}",
    summary: "Read one product by id or, where no product has it, by SKU",
    request: z.object({
      params: z.object({ prod_identifier: idOrName }),
      query: z.object({ identify_by: z.optional(oneOf(["product_id", "sku"])) }),
    }),
    record: productRecord,
    access: { inventory: "read" },
  },
  async ({ params: { prod_identifier: text }, query: { identify_by: by } }, { db, account_id }) => {
    const productId = by === "sku" ? undefined : parseId(text);
    const [byId, bySku] = await Promise.all([
      productId === undefined ? undefined : products.find(db, account_id, productId),
      by === "product_id" ? undefined : findProducts(db, account_id, [text]),
    ]);
    const found = byId ?? bySku?.get(text);
    if (found === undefined) throw notFound(`There is no product with ${by ?? "the id or SKU"} ${text}`);
    return found.record;
  },
);
