import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { orderWithHistory, presentOrderWithHistory } from "../../../shared/http/records/order.ts";
import { getOrderWithHistory } from "../../../shared/operations/find-order.ts";

const identities = ["order_id", "order_number", "order_reference", "order_api"] as const;

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/orders/{order}",
    auth: "oms",
    summary: "Read one order and what became of it",
    request: z.object({
      params: z.object({ order: z.string().check(z.maxLength(255)) }),
      query: z.object({ identify_by: z._default(z.enum(identities), "order_id") }),
    }),
    response: dataOf(orderWithHistory),
    access: { orders: "read" },
  },
  async ({ params: { order: value }, query: { identify_by } }, { db, account }) => {
    const { order, history } = await getOrderWithHistory(db, account.account_id, identify_by, value);
    return { data: presentOrderWithHistory(order, history) };
  },
);

export const handler = lambda(endpoint);
