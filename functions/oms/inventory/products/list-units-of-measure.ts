import * as z from "zod/mini";
import { unitsOfMeasure } from "../../../../shared/catalog/products/product.ts";
import { products } from "../../../../shared/catalog/products/product-repository.ts";
import * as primitive from "../../../../shared/common/primitives.ts";
import { defineEndpointWithoutBody } from "../../../../shared/http/define-without-body.ts";
import { idOrName } from "../../../../shared/http/lists/define-read.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import { getRecord } from "../../../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineEndpointWithoutBody(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/products/{product_id}/uom",
    auth: "oms",
    summary: "List the units a product is counted in",
    request: z.object({ params: z.object({ product_id: idOrName }) }),
    response: dataOf(z.array(z.object({ uom: primitive.text, quantity: primitive.number }))),
    access: { inventory: "read" },
  },
  async ({ params: { product_id } }, context) => ({
    data: [...unitsOfMeasure((await getRecord(context, products, product_id)).record)],
  }),
);
