import { defineWorker } from "../../shared/jobs/worker.ts";
import { weigh } from "../../shared/orders/order-transitions.ts";
import { orderLookup, orderWriteAccess } from "../../shared/orders/storage/order-repository.ts";
import { planForOrder } from "../../shared/picking/order-jobs.ts";
import { weighing } from "../../shared/picking/weighing.ts";

export const { worker, handler } = defineWorker({
  job: "weight",
  payload: weighing,
  access: orderWriteAccess,
  reads: ({ order_id }) => [orderLookup(order_id)],
  plan: (job, find, now) =>
    planForOrder(job, find, (order) =>
      weigh(order, { weight: job.payload.weight, weighedBy: job.job_id }, now),
    ),
});
