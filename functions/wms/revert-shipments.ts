import * as z from "zod/mini";
import { defineEndpoint } from "../../shared/http/endpoint.ts";
import { lambda } from "../../shared/http/lambda.ts";
import { acceptance, accepted, acceptedJobs, queueJobs } from "../../shared/jobs/queue.ts";
import { resendJobs } from "../../shared/jobs/send.ts";
import { findAnyOrders } from "../../shared/orders/storage/order-repository.ts";
import { resolveReversions, reversionInput } from "../../shared/picking/reversion.ts";
import { allocationGrant } from "../../shared/store/lists/allocate.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/wms/shipments/revert/pending",
    auth: "wms",
    summary: "Queue shipments to be reverted to Pending",
    request: z.object({ body: reversionInput }),
    response: acceptance,
    access: {
      orders: "read",
      jobs: { "job#": ["read", "insert"], "steps#": "write" },
      tallies: allocationGrant,
    },
    sends: ["revert"],
    replayed: (answer, db) => resendJobs(db, "revert", acceptedJobs(answer)),
  },
  async ({ body: { shipments_list } }, context) => {
    const reversions = resolveReversions(shipments_list, await findAnyOrders(context.db, shipments_list));
    return queueJobs(context, "revert", reversions, (jobs) =>
      accepted(
        `The request is accepted and will be processed soon (shipments: ${reversions.map(({ order_id }) => order_id).join(", ")})`,
        jobs.map(({ job_id, payload: { order_id } }) => ({ job_id, order_id })),
      ),
    );
  },
);

export const handler = lambda(endpoint);
