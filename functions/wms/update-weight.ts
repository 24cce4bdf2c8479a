import * as z from "zod/mini";
import { bulkBody } from "../../shared/common/fields.ts";
import * as primitive from "../../shared/common/primitives.ts";
import { defineJobs } from "../../shared/http/bulk/define-jobs.ts";
import { barcodeOf } from "../../shared/orders/order.ts";
import { orders } from "../../shared/orders/storage/order-repository.ts";
import { ordersToWeigh, resolveWeighings, weighingInput } from "../../shared/picking/weighing.ts";
import { anyOwner } from "../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineJobs(
  {
    kind: "weight",
    path: "/apirest/v4/wms/orders/UpdateWeight",
    summary: "Queue weights of orders",
    request: z.object({ body: bulkBody(weighingInput) }),
    shown: { order_id: primitive.int, nbtybarcode: primitive.text },
    access: { orders: "read" },
  },
  async ({ body: { data } }, db) => {
    const payloads = resolveWeighings(data, await orders.findAll(db, anyOwner, ordersToWeigh(data)));
    return { payloads, about: `weights: ${payloads.length}` };
  },
  ({ order_id }) => ({ nbtybarcode: barcodeOf(order_id), order_id }),
);
