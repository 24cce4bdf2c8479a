import * as z from "zod/mini";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { queryBody } from "../../shared/http/pagination.ts";
import { endpoint as listOrders } from "../oms/orders/list-orders.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/get_orders",
    auth: "v2",
    summary: "List orders",
    request: z.object({ body: queryBody(listOrders.request.shape.query) }),
    response: listOrders.response,
    access: { orders: "read" },
  },
  ({ body }, context) => listOrders.flow({ query: body }, context),
);

export const handler = lambda(endpoint);
