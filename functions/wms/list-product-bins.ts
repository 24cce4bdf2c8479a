import * as z from "zod/mini";
import { productLookup } from "../../shared/catalog/products/product-repository.ts";
import { parseId } from "../../shared/common/fields.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { notFound } from "../../shared/common/problem.ts";
import { defineEndpointWithoutBody } from "../../shared/http/define-without-body.ts";
import { binsOf } from "../../shared/stock/bins/bin-repository.ts";
import { binEntry, presentBin } from "../../shared/stock/bins/bin-view.ts";
import { getItem } from "../../shared/store/dynamodb/reads.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/inventory/products/{product_id}/bin",
    auth: "wms",
    summary: "List the bins that hold a product",
    request: z.object({ params: z.object({ product_id: primitive.idInPath }) }),
    response: z.object({ bin_list: z.array(binEntry) }),
    access: { inventory: "read" },
  },
  async ({ params: { product_id: id } }, { db }) => {
    const productId = parseId(id);
    const [product, bins] =
      productId === undefined
        ? []
        : await Promise.all([getItem(db, productLookup(productId)), binsOf(db, productId)]);
    if (product === undefined || bins === undefined)
      throw notFound(`There is no product with product_id ${id}`);
    return { bin_list: bins.map(presentBin) };
  },
);
