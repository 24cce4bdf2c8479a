import * as z from "zod/mini";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";
import { getProduct } from "../../../../shared/operations/get-product.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/products/{prod_identifier}",
    auth: "oms",
    summary: "Read one product by id or SKU",
    request: z.object({ params: z.object({ prod_identifier: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(productRecord),
    access: { inventory: "read" },
  },
  async ({ params: { prod_identifier } }, { db, account }) => ({
    data: await getProduct(db, account.account_id, prod_identifier),
  }),
);

export const handler = lambda(endpoint);
