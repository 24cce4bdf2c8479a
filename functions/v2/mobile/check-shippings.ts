import * as z from "zod/mini";
import { optional, optionalId, text } from "../../../shared/common/fields.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { invalidAt } from "../../../shared/common/problem.ts";
import { defineMobileEndpoint } from "../../../shared/http/define-mobile.ts";
import { listBody, listOf, type PageQuery, pageFields } from "../../../shared/http/lists/pagination.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { awaitsQualityControl } from "../../../shared/orders/order-status.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";
import { findReadableOrders } from "../../../shared/orders/storage/order-work.ts";
import { pickedPage } from "../../../shared/orders/storage/picked-orders.ts";
import { shipOrder } from "../../../shared/picking/picking-flows.ts";
import { presentShipment, shipment } from "../../../shared/picking/shipment-view.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { mapPage, type Page } from "../../../shared/store/lists/pages.ts";

const body = z.object({
  ...pageFields(),
  order_id: optionalId,
  approve: optional(primitive.boolean),
  tracking_number: optional(text(100)),
  carrier: optional(text(100)),
});

export const { endpoint, handler } = defineMobileEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/qc-shippings-1",
    auth: "mobile",
    summary: "List the shipments to check, or approve one, which ships it",
    request: z.object({ body: z.prefault(body, {}) }),
    response: z.union([listOf(shipment), dataOf(shipment)]),
    bodyNamesRecord: true,
    access: { ...orderWriteAccess, "orders/work": "read" },
  },
  async ({ body }, context) => {
    const approved = approvedBy(body);
    if (approved === undefined) {
      return listBody(mapPage(await listShipments(context, body), presentShipment), body);
    }
    return shipOrder(context, approved, body, (shipped) => ({ data: presentShipment(shipped) }));
  },
);

/** The order that a call approves; undefined for a list. Approving takes `order_id` and `approve`. */
function approvedBy({ order_id, approve, ...parcel }: z.output<typeof body>): number | undefined {
  const { tracking_number, carrier } = parcel;
  if ([order_id, approve, tracking_number, carrier].every((field) => field === undefined)) return undefined;
  if (order_id === undefined) throw invalidAt([{ path: "order_id", message: "is required" }]);
  if (approve === undefined) throw invalidAt([{ path: "approve", message: "is required" }]);
  if (!approve) throw invalidAt([{ path: "approve", message: "must be true" }]);
  return order_id;
}

/** One page of the completely picked orders, by their ids, and how many there are. */
async function listShipments({ db }: Context, { page, per_page }: PageQuery): Promise<Page<Order>> {
  const { ids, total } = await pickedPage(db, (page - 1) * per_page, per_page);
  const found = [...(await findReadableOrders(db, ids)).values()].map(({ record }) => record);
  // The index may still show orders that have been shipped.
  return { records: found.filter(awaitsQualityControl), total };
}
