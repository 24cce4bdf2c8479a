import * as z from "zod/mini";
import { createEach } from "../../../shared/http/bulk/create-each.ts";
import { defineBulk } from "../../../shared/http/bulk/define-bulk.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { resolveOrders } from "../../../shared/orders/order-references.ts";
import { orderRecord, readBack, shownOrder } from "../../../shared/orders/order-view.ts";
import { orderReferenceAccess, planNewOrders } from "../../../shared/orders/place-order.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { readOrderReferences } from "../../../shared/orders/storage/read-order-references.ts";
import { holdAccess } from "../../../shared/stock/holds/hold-repository.ts";

/** The comment of `shared/orders/order.ts` walks through this call. */
export const endpoint = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/orders",
    summary: "Create orders and reserve their stock",
    input: orderInput,
    record: orderRecord,
    shown: shownOrder,
    needsStock: true,
    alsoShown: dataOf(z.array(readBack)),
    access: { orders: "write", inventory: "write", ...holdAccess, ...orderReferenceAccess },
  },
  async (data, context) => {
    const references = await readOrderReferences(context.db, context.account_id, data);
    return createEach(context, {
      list: orders.list,
      inputs: resolveOrders(data, references).map((order, position) => ({
        order,
        sent: data[position],
      })),
      plan: (drafts) => planNewOrders(context, drafts),
    });
  },
);

export const handler = lambda(endpoint);
