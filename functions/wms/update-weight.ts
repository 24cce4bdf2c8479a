import * as z from "zod/mini";
import { findAnyOrders } from "../../shared/data/orders.ts";
import { records } from "../../shared/domain/fields.ts";
import { ordersToWeigh, resolveWeighings, weighingInput } from "../../shared/domain/orders/weighing.ts";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { acceptance, accepted } from "../../shared/http/records/acceptance.ts";
import { queueJobs } from "../../shared/jobs/queue.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/orders/UpdateWeight",
    auth: "wms",
    summary: "Queue weights of orders",
    request: z.object({ body: records(weighingInput) }),
    response: acceptance,
    access: { orders: "read", jobs: "write", tallies: "write" },
    sends: ["weight"],
  },
  async ({ body: { data } }, context) => {
    const weighings = resolveWeighings(data, await findAnyOrders(context.db, ordersToWeigh(data)));
    return queueJobs(context, "weight", weighings, () =>
      accepted(`The request is accepted and will be processed soon (weights: ${weighings.length})`),
    );
  },
);

export const handler = lambda(endpoint);
