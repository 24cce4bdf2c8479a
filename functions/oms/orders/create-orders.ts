import * as z from "zod/mini";
import { allocate } from "../../../shared/data/allocate.ts";
import { storeEach } from "../../../shared/data/bulk.ts";
import { orderList } from "../../../shared/data/lists.ts";
import { readOrderReferences } from "../../../shared/data/order-references.ts";
import { insertOrder, newOrderApi } from "../../../shared/data/orders.ts";
import { changeStock } from "../../../shared/data/stock.ts";
import { records } from "../../../shared/domain/fields.ts";
import { orderInput, placed } from "../../../shared/domain/order.ts";
import { resolveOrders } from "../../../shared/domain/order-terms.ts";
import { type Cause, reservationChanges } from "../../../shared/domain/stock.ts";
import { bulkAnswer } from "../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { orderRecord, presentOrder } from "../../../shared/http/records/order.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders",
    auth: "oms",
    summary: "Create orders and reserve their stock",
    request: z.object({ body: records(orderInput) }),
    response: dataOf(z.array(orderRecord)),
    access: { orders: "write", inventory: "write" },
  },
  async ({ body: { data } }, { db, account: { account_id }, actor }) => {
    const terms = resolveOrders(data, await readOrderReferences(db, account_id, data));
    const { firstId, at } = await allocate(db, orderList, String(account_id), terms.length);
    const plans = terms.map((agreed, position) => {
      const order_id = firstId + position;
      const order = placed(agreed, { account_id, order_id, order_api: newOrderApi(order_id), at });
      const cause: Cause = { reason: "order_created", reference: { order_id }, by: actor, at };
      return {
        result: order,
        writes: [
          ...insertOrder(order, `data.${position}.order_number`),
          ...changeStock(reservationChanges([], order.items), cause),
        ],
      };
    });
    return bulkAnswer(await storeEach(db, plans, async (planned) => planned), orderRecord, presentOrder);
  },
);

export const handler = lambda(endpoint);
