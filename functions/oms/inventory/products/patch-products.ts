import * as z from "zod/mini";
import { productPatch } from "../../../../shared/domain/catalog/product.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";
import { patchProducts } from "../../../../shared/operations/patch-products.ts";

export const endpoint = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/products",
    auth: "oms",
    summary: "Change products, found by SKU",
    request: z.object({ body: records(productPatch) }),
    response: dataOf(z.array(productRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { db, account: { account_id }, now }) =>
    bulkAnswer(await patchProducts(db, { account_id, now }, data), productRecord, (product) => product),
);

export const handler = lambda(endpoint);
