import * as z from "zod/mini";
import { id, maxRecords } from "../../../shared/common/fields.ts";
import { placed } from "../../../shared/common/placed.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { cancelOrders } from "../../../shared/orders/change-orders.ts";
import { orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";

/** A repeated id counts once, in its first place. */
const firstOfEach = (ids: readonly number[]) =>
  placed(ids, "order_ids").filter(({ value }, position) => ids.indexOf(value) === position);

const order_ids = z.array(id).check(z.minLength(1), z.maxLength(maxRecords));

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders/cancel-bulk",
    auth: "oms",
    summary: "Cancel several orders and release their stock",
    request: z.object({ body: z.object({ order_ids }) }),
    response: dataOf(z.array(orderWithActions)),
    alsoShown: ["history"],
    idsOf: { list: "order_ids", id: "order_id" },
    bodyNamesRecord: true,
    takesVersion: true,
    access: orderWriteAccess,
  },
  ({ body: { order_ids } }, context) =>
    bulkCall(context, firstOfEach(order_ids), orderRecord, (orders, context) =>
      cancelOrders(context, orders),
    ),
);
