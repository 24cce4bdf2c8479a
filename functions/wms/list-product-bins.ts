import * as z from "zod/mini";
import { binsOf } from "../../shared/data/bins.ts";
import { productLookup } from "../../shared/data/products.ts";
import { idIn } from "../../shared/domain/fields.ts";
import * as plain from "../../shared/domain/plain.ts";
import { notFound } from "../../shared/domain/problem.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { binEntry, presentBin } from "../../shared/http/records/bin.ts";
import { defineWithoutBody } from "../../shared/http/without-body.ts";
import { getItem } from "../../shared/store/reads.ts";

export const endpoint = defineWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/wms/inventory/products/{product_id}/bin",
    auth: "wms",
    summary: "List the bins that hold a product",
    request: z.object({ params: z.object({ product_id: plain.text }) }),
    response: z.object({ bin_list: z.array(binEntry) }),
    access: { inventory: "read" },
  },
  async ({ params: { product_id: id } }, { db }) => {
    const productId = idIn(id);
    const [product, bins] =
      productId === undefined
        ? []
        : await Promise.all([getItem(db, productLookup(productId)), binsOf(db, productId)]);
    if (product === undefined || bins === undefined)
      throw notFound(`There is no product with product_id ${id}`);
    return { bin_list: bins.map(presentBin) };
  },
);

export const handler = lambda(endpoint);
