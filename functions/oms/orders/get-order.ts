import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { orderRecord, presentOrder } from "../../../shared/http/records/order.ts";
import { getOrder } from "../../../shared/operations/find-order.ts";

const identities = ["order_id", "order_number", "order_reference", "order_api"] as const;

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/orders/{order}",
    auth: "oms",
    summary: "Read one order",
    request: z.object({
      params: z.object({ order: z.string().check(z.maxLength(255)) }),
      query: z.object({ identify_by: z._default(z.enum(identities), "order_id") }),
    }),
    response: dataOf(orderRecord),
    access: { orders: "read" },
  },
  async ({ params: { order }, query: { identify_by } }, { db, account }) => ({
    data: presentOrder(await getOrder(db, account.account_id, identify_by, order)),
  }),
);

export const handler = lambda(endpoint);
