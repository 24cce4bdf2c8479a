import { defineWorker, workerLambda } from "../../shared/jobs/worker.ts";
import { weigh } from "../../shared/orders/order-transitions.ts";
import { orderLookup } from "../../shared/orders/storage/order-repository.ts";
import { planForOrder } from "../../shared/picking/order-jobs.ts";
import { weighing } from "../../shared/picking/weighing.ts";

export const worker = defineWorker(
  // A saga that is storing the order is finished first, with its stock.
  { job: "weight", payload: weighing, access: { orders: "write", inventory: "write" } },
  {
    reads: ({ order_id }) => [orderLookup(order_id)],
    plan: ({ job_id: weighedBy, payload: { order_id, weight }, by }, find, now) =>
      planForOrder({ by, now }, find, order_id, (order, at) => weigh(order, { weight, weighedBy }, at)),
  },
);

export const handler = workerLambda(worker);
