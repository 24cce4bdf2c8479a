import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as createOrders } from "../oms/orders/create-orders.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/add_orders",
    auth: "v2",
    summary: "Create orders and reserve their stock",
    request: createOrders.request,
    response: createOrders.response,
    access: { orders: "write", inventory: "write" },
  },
  createOrders.flow,
);

export const handler = lambda(endpoint);
