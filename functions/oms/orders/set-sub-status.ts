import * as z from "zod/mini";
import { id, text } from "../../../shared/common/fields.ts";
import { singleCall } from "../../../shared/http/bulk/bulk-call.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { changeOrders } from "../../../shared/orders/change-orders.ts";
import { setSubStatus } from "../../../shared/orders/order-transitions.ts";
import { orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders/sub_status",
    auth: "oms",
    summary: "Set an order's sub-status",
    request: z.object({ body: z.object({ order_id: id, sub_status: text(64) }) }),
    response: dataOf(orderWithActions),
    alsoShown: ["history"],
    bodyNamesRecord: true,
    takesVersion: true,
    access: orderWriteAccess,
  },
  ({ body: { order_id, sub_status } }, context) =>
    singleCall(context, orderRecord, (context) =>
      changeOrders(context, [
        { order_id, path: "order_id", decide: (before, at) => setSubStatus(before, sub_status, at) },
      ]),
    ),
);
