import { orderLookup } from "../../shared/data/orders.ts";
import { weigh } from "../../shared/domain/orders/order-transitions.ts";
import { weighing } from "../../shared/domain/orders/weighing.ts";
import { planForOrder } from "../../shared/jobs/plan-for-order.ts";
import { defineWorker, workerLambda } from "../../shared/jobs/worker.ts";

export const worker = defineWorker(
  // An order that is being stored in steps is finished first, with its stock.
  { job: "weight", payload: weighing, access: { orders: "write", inventory: "write" } },
  {
    reads: ({ order_id }) => [orderLookup(order_id)],
    plan: ({ jobId, payload: { order_id, weight }, ...context }, find) =>
      planForOrder(context, find, order_id, (order, at) => weigh(order, { weight, weighedBy: jobId }, at)),
  },
);

export const handler = workerLambda(worker);
