import * as z from "zod/mini";
import { readProducts } from "../../../../shared/data/products.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listOf, orderDirection, pageQuery } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";

const query = z.object({
  ...pageQuery(),
  order_by: z._default(z.enum(["ProductID"]), "ProductID"),
  order_direction: orderDirection,
});

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/products",
    auth: "oms",
    summary: "List products",
    request: z.object({ query }),
    response: listOf(productRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account }) => {
    const { page, per_page: perPage, order_direction: direction } = query;
    const { products, total } = await readProducts(db, account.account_id, { page, perPage, direction });
    return listBody(products, total, query);
  },
);

export const handler = lambda(endpoint);
