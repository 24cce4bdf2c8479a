import { defineBulk } from "../../../shared/http/bulk/bulk-call.ts";
import { orderReferenceAccess } from "../../../shared/orders/order-references.ts";
import { orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { orderReadOnly, replacement, replaceOrders } from "../../../shared/orders/replace-orders.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";
import { holdAccess } from "../../../shared/stock/holds/hold-repository.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "PUT",
    path: "/apirest/v4/oms/orders",
    summary: "Replace Pending orders and adjust their reserved stock",
    input: replacement,
    record: orderRecord,
    shown: orderWithActions,
    needsStock: true,
    bodyNamesRecord: true,
    takesVersion: true,
    alsoShown: ["history"],
    readOnly: orderReadOnly,
    access: { ...orderWriteAccess, ...holdAccess, ...orderReferenceAccess },
  },
  (data, context) => replaceOrders(context, data),
);
