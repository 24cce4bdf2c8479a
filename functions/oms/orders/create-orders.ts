import { valuesOf } from "../../../shared/common/placed.ts";
import { defineBulk } from "../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../shared/http/bulk/create-each.ts";
import { newOrder } from "../../../shared/orders/order.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import {
  orderReferenceAccess,
  readOrderReferences,
  resolveOrders,
} from "../../../shared/orders/order-references.ts";
import { orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { planOrders } from "../../../shared/orders/reserve-stock.ts";
import {
  insertOrder,
  newOrderApi,
  orders,
  orderWriteAccess,
} from "../../../shared/orders/storage/order-repository.ts";
import { holdAccess } from "../../../shared/stock/holds/hold-repository.ts";

/** The comment of `shared/orders/order.ts` walks through this call. */
export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders",
    summary: "Create orders and reserve their stock",
    input: orderInput,
    record: orderRecord,
    shown: orderWithActions,
    needsStock: true,
    alsoShown: ["history"],
    access: { ...orderWriteAccess, ...holdAccess, ...orderReferenceAccess },
  },
  async (data, context) => {
    const { db, account_id, actor: by } = context;
    const references = await readOrderReferences(db, account_id, valuesOf(data));
    return createEach(context, {
      list: orders.list,
      inputs: resolveOrders(
        data.map(({ value: sent, path }) => ({ value: { sent }, path })),
        references,
      ),
      plan: (drafts) =>
        planOrders(
          db,
          account_id,
          drafts.map(({ value: { sent, terms }, id: order_id, at, path }) => {
            const after = newOrder(terms, { account_id, order_id, order_api: newOrderApi(order_id), by, at });
            const writes = insertOrder(after, path);
            const cause = { reason: "order_created", reference: { order_id }, by, at } as const;
            return { after, reservation: sent, writes, cause, path };
          }),
        ),
    });
  },
);
