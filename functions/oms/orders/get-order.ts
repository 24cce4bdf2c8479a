import * as z from "zod/mini";
import { defineRead, idOrName } from "../../../shared/http/lists/define-read.ts";
import { oneOf } from "../../../shared/http/lists/pagination.ts";
import { getOrder, orderIdentities } from "../../../shared/orders/find-order.ts";
import { orderWithHistoryAndActions, presentOrderWithHistory } from "../../../shared/orders/order-view.ts";
import { readHistory } from "../../../shared/orders/storage/order-history-repository.ts";
import { lookupReadAccess } from "../../../shared/store/lookup-index.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/orders/{order}",
    summary: "Read one order with its history",
    request: z.object({
      params: z.object({ order: idOrName }),
      query: z.object({ identify_by: z._default(oneOf(orderIdentities), "order_id") }),
    }),
    record: orderWithHistoryAndActions,
    access: { orders: "read", ...lookupReadAccess },
  },
  async ({ params, query: { identify_by } }, context) => {
    const found = await getOrder(context, identify_by, params.order);
    return presentOrderWithHistory(found.record, await readHistory(context.db, found));
  },
);
