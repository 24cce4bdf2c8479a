import * as z from "zod/mini";
import { id } from "../../../shared/common/fields.ts";
import { singleCall } from "../../../shared/http/bulk/bulk-call.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { cancelOrders } from "../../../shared/orders/change-orders.ts";
import { orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders/cancel",
    auth: "oms",
    summary: "Cancel an order and release its stock",
    request: z.object({ body: z.object({ order_id: id }) }),
    response: dataOf(orderWithActions),
    alsoShown: ["history"],
    bodyNamesRecord: true,
    takesVersion: true,
    access: orderWriteAccess,
  },
  ({ body: { order_id } }, context) =>
    singleCall(context, orderRecord, (context) =>
      cancelOrders(context, [{ value: order_id, path: "order_id" }]),
    ),
);
