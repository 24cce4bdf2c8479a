import * as z from "zod/mini";
import { id, text } from "../../../shared/domain/fields.ts";
import type { Order } from "../../../shared/domain/orders/order.ts";
import { invalidAt } from "../../../shared/domain/problem.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { mobileLambda } from "../../../shared/http/mobile-lambda.ts";
import { dataOf, listBody, listOf, pageFields } from "../../../shared/http/pagination.ts";
import { presentShipment, shipment } from "../../../shared/http/records/shipment.ts";
import { storeOnce } from "../../../shared/http/store-once.ts";
import { shipOrder } from "../../../shared/operations/advance-order.ts";
import { listShipments } from "../../../shared/operations/list-shipments.ts";

const body = z.object({
  ...pageFields(),
  order_id: z.optional(id),
  approve: z.optional(z.boolean()),
  tracking_number: z.optional(text(100)),
});

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/qc-shippings-1",
    auth: "mobile",
    summary: "List the shipments to check, or approve one, which ships it",
    request: z.object({ body: z.prefault(body, {}) }),
    response: z.union([listOf(shipment), dataOf(shipment)]),
    access: { orders: "write", inventory: "write" },
  },
  async ({ body }, { actor, now, ...tools }) => {
    const approved = approvedBy(body);
    if (approved === undefined) {
      const { records, total } = await listShipments(tools.db, body);
      return listBody(records.map(presentShipment), total, body);
    }
    const { tracking_number = null } = body;
    const once = storeOnce(tools, dataOf(shipment), present);
    return present(await shipOrder(tools.db, { actor, now }, approved, tracking_number, once));
  },
);

const present = (shipped: Order) => ({ data: presentShipment(shipped) });

/** The order that a call approves; undefined for a call that asks for the list. Approving takes both fields. */
function approvedBy({ order_id, approve, tracking_number }: z.output<typeof body>): number | undefined {
  if (order_id === undefined && approve === undefined && tracking_number === undefined) return undefined;
  if (order_id === undefined) throw invalidAt([{ path: "order_id", message: "is required" }]);
  if (approve === undefined) throw invalidAt([{ path: "approve", message: "is required" }]);
  if (!approve) throw invalidAt([{ path: "approve", message: "must be true" }]);
  return order_id;
}

export const handler = mobileLambda(endpoint);
