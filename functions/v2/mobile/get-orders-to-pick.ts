import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { mobileLambda } from "../../../shared/http/mobile-lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { pickList, presentPickList } from "../../../shared/http/records/shipment.ts";
import { ordersToPick } from "../../../shared/operations/claim-orders.ts";
import { listPicks } from "../../../shared/operations/list-picks.ts";

/** Most orders that a picker is given at once. */
const limit = z._default(z.int().check(z.gte(1), z.lte(50)), 10);

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/pp-getOrders-1",
    auth: "mobile",
    summary: "Get orders to pick: the picker's open ones, then the oldest that wait",
    request: z.object({ body: z.prefault(z.object({ limit }), {}) }),
    response: dataOf(z.array(pickList)),
    access: { orders: "write", inventory: "read" },
  },
  async ({ body }, { user: { user_name: picker }, ...context }) => {
    const orders = await ordersToPick({ ...context, picker }, body.limit);
    const picks = await listPicks(context, orders);
    return { data: orders.map((order, position) => presentPickList(order, picks[position] ?? [])) };
  },
);

export const handler = mobileLambda(endpoint);
