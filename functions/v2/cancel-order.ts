import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { endpoint as cancelOrder } from "../oms/orders/cancel-order.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/cancel_order",
    auth: "v2",
    summary: "Cancel an order and release its stock",
    request: cancelOrder.request,
    response: cancelOrder.response,
    access: { orders: "write", inventory: "write" },
  },
  cancelOrder.flow,
);

export const handler = lambda(endpoint);
