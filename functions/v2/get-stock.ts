import * as z from "zod/mini";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { queryBody } from "../../shared/http/pagination.ts";
import { endpoint as listStock } from "../oms/inventory/stock/list-stock.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/get_stock",
    auth: "v2",
    summary: "List stock levels",
    request: z.object({ body: queryBody(listStock.request.shape.query) }),
    response: listStock.response,
    access: { inventory: "read" },
  },
  ({ body }, context) => listStock.flow({ query: body }, context),
);

export const handler = lambda(endpoint);
