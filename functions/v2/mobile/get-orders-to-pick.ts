import * as z from "zod/mini";
import { withDefault } from "../../../shared/common/fields.ts";
import { defineMobileEndpoint } from "../../../shared/http/define-mobile.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { ordersToPick } from "../../../shared/picking/claim-orders.ts";
import { listPicks } from "../../../shared/picking/pick-list.ts";
import { pickList, presentPickList } from "../../../shared/picking/shipment-view.ts";

/** Maximum orders that a picker gets in one call. */
const limit = withDefault(z.int().check(z.gte(1), z.lte(50)), 10);

export const { endpoint, handler } = defineMobileEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/pp-getOrders-1",
    auth: "mobile",
    summary: "Get orders to pick: the picker's open ones, then the oldest that wait",
    request: z.object({ body: z.prefault(z.object({ limit }), {}) }),
    response: dataOf(z.array(pickList)),
    access: { orders: "write-records", "orders/work": "read", inventory: "read" },
  },
  async ({ body }, { user: { user_name: picker }, ...context }) => {
    const orders = await ordersToPick({ ...context, picker }, body.limit);
    const picks = await listPicks(context.db, orders);
    return { data: orders.map((order, position) => presentPickList(order, picks[position] ?? [])) };
  },
);
