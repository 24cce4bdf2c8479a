import { weigh } from "../../shared/domain/orders/order-transitions.ts";
import { weighing } from "../../shared/domain/orders/weighing.ts";
import { applyToOrder } from "../../shared/jobs/apply-to-order.ts";
import { defineWorker, workerLambda } from "../../shared/jobs/worker.ts";

export const worker = defineWorker(
  // An order that is being stored in steps is finished first, with its stock.
  { job: "weight", payload: weighing, access: { orders: "write", inventory: "write" } },
  async ({ jobId, payload: { order_id, weight }, ...context }) =>
    applyToOrder(context, order_id, (order, at) => weigh(order, { weight, weighedBy: jobId }, at)),
);

export const handler = workerLambda(worker);
