import * as z from "zod/mini";
import { products } from "../../../../shared/data/products.ts";
import { unitsOfMeasure } from "../../../../shared/domain/catalog/product.ts";
import * as plain from "../../../../shared/domain/plain.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { identifier } from "../../../../shared/http/reading.ts";
import { defineWithoutBody } from "../../../../shared/http/without-body.ts";
import { getRecord } from "../../../../shared/operations/get-record.ts";

export const endpoint = defineWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/products/{product_id}/uom",
    auth: "oms",
    summary: "List the units a product is counted in",
    request: z.object({ params: z.object({ product_id: identifier }) }),
    response: dataOf(z.array(z.object({ uom: plain.text, quantity: plain.number }))),
    access: { inventory: "read" },
  },
  async ({ params: { product_id } }, context) => ({
    data: [...unitsOfMeasure(await getRecord(context, products, product_id))],
  }),
);

export const handler = lambda(endpoint);
