import * as z from "zod/mini";
import { bulkBody } from "../../shared/common/fields.ts";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { acceptance, accepted, acceptedJobs, queueJobs } from "../../shared/jobs/queue.ts";
import { resendJobs } from "../../shared/jobs/send.ts";
import { barcodeOf } from "../../shared/orders/order.ts";
import { findAnyOrders } from "../../shared/orders/storage/order-repository.ts";
import { ordersToWeigh, resolveWeighings, weighingInput } from "../../shared/picking/weighing.ts";
import { allocationGrant } from "../../shared/store/lists/allocate.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/orders/UpdateWeight",
    auth: "wms",
    summary: "Queue weights of orders",
    request: z.object({ body: bulkBody(weighingInput) }),
    response: acceptance,
    access: {
      orders: "read",
      jobs: { "job#": ["read", "insert"], "steps#": "write" },
      tallies: allocationGrant,
    },
    sends: ["weight"],
    replayed: (answer, db) => resendJobs(db, "weight", acceptedJobs(answer)),
  },
  async ({ body: { data } }, context) => {
    const weighings = resolveWeighings(data, await findAnyOrders(context.db, ordersToWeigh(data)));
    return queueJobs(context, "weight", weighings, (jobs) =>
      accepted(
        `The request is accepted and will be processed soon (weights: ${weighings.length})`,
        jobs.map(({ job_id, payload: { order_id } }) => ({
          job_id,
          nbtybarcode: barcodeOf(order_id),
          order_id,
        })),
      ),
    );
  },
);

export const handler = lambda(endpoint);
