import * as z from "zod/mini";
import { bulkBody } from "../../../shared/common/fields.ts";
import { bulkAnswer } from "../../../shared/http/bulk/bulk-answer.ts";
import { createEach } from "../../../shared/http/bulk/create-each.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/lists/pagination.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import { placed } from "../../../shared/orders/order.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { resolveOrders } from "../../../shared/orders/order-references.ts";
import { orderRecord, presentOrder } from "../../../shared/orders/order-view.ts";
import { insertOrder, newOrderApi } from "../../../shared/orders/storage/order-repository.ts";
import { readOrderReferences } from "../../../shared/orders/storage/read-order-references.ts";
import { reads } from "../../../shared/registries/registry-repository.ts";
import { type Cause, reservations } from "../../../shared/stock/stock.ts";
import { changeStock } from "../../../shared/stock/stock-repository.ts";
import { orderList } from "../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders",
    auth: "oms",
    summary: "Create orders and reserve their stock",
    request: z.object({ body: bulkBody(orderInput) }),
    response: dataOf(z.array(orderRecord)),
    access: { orders: "write", inventory: "write", ...reads("shippingMethods", "stores", "storeNames") },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id, actor: by } = context;
    const outcomes = await createEach(context, {
      list: orderList,
      inputs: resolveOrders(data, await readOrderReferences(db, account_id, data)),
      plan: (drafts) =>
        drafts.map(({ input, id: order_id, at, path }) => {
          const order = placed(input, { account_id, order_id, order_api: newOrderApi(order_id), by, at });
          const cause: Cause = { reason: "order_created", reference: { order_id }, by, at };
          return {
            result: presentOrder(order),
            writes: [
              ...insertOrder(order, `${path}.order_number`),
              ...changeStock(reservations(order.items), cause),
            ],
          };
        }),
    });
    return bulkAnswer(outcomes, orderRecord);
  },
);

export const handler = lambda(endpoint);
