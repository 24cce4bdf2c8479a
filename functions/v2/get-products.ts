import * as z from "zod/mini";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { queryBody } from "../../shared/http/pagination.ts";
import { endpoint as listProducts } from "../oms/inventory/products/list-products.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/get_products",
    auth: "v2",
    summary: "List products",
    request: z.object({ body: queryBody(listProducts.request.shape.query) }),
    response: listProducts.response,
    access: { inventory: "read" },
  },
  ({ body }, context) => listProducts.flow({ query: body }, context),
);

export const handler = lambda(endpoint);
