import { defineWorker } from "../../shared/jobs/worker.ts";
import { revert } from "../../shared/orders/order-transitions.ts";
import { orderLookup, orderWriteAccess } from "../../shared/orders/storage/order-repository.ts";
import { planForOrder, putBackPicks } from "../../shared/picking/order-jobs.ts";
import { reversion } from "../../shared/picking/reversion.ts";
import { serialPickAccess } from "../../shared/serials/serial-repository.ts";

/** Stock does not change: picked goods count as on hand, and the goods of a Pending order are reserved. */
export const { worker, handler } = defineWorker({
  job: "revert",
  payload: reversion,
  access: { ...orderWriteAccess, ...serialPickAccess },
  reads: ({ order_id }) => [orderLookup(order_id)],
  plan: (job, find, now) =>
    planForOrder(
      job,
      find,
      (order) => revert(order, { revertedBy: job.job_id, last: job.payload.last }, now),
      putBackPicks,
    ),
});
