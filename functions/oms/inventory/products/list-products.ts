import * as z from "zod/mini";
import { products } from "../../../../shared/data/products.ts";
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
    const request = { page, perPage, direction };
    const { records, total } = await products.read(db, account.account_id, request);
    return listBody(records, total, query);
  },
);

export const handler = lambda(endpoint);
