import * as z from "zod/mini";
import * as primitive from "../../shared/common/primitives.ts";
import { defineJobs } from "../../shared/http/bulk/define-jobs.ts";
import { orders } from "../../shared/orders/storage/order-repository.ts";
import { resolveReversions, reversionInput } from "../../shared/picking/reversion.ts";
import { anyOwner } from "../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineJobs(
  {
    kind: "revert",
    path: "/apirest/v4/wms/shipments/revert/pending",
    summary: "Queue shipments to be reverted to Pending",
    request: z.object({ body: reversionInput }),
    shown: { order_id: primitive.int },
    access: { orders: "read" },
  },
  async ({ body: { shipments_list } }, db) => {
    const payloads = resolveReversions(shipments_list, await orders.findAll(db, anyOwner, shipments_list));
    return { payloads, about: `shipments: ${payloads.map(({ order_id }) => order_id).join(", ")}` };
  },
  ({ order_id }) => ({ order_id }),
);
