import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { returnRecord, returnWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { announceReturns } from "../../../../shared/inbound/returns/announce-returns.ts";
import { returnInput } from "../../../../shared/inbound/returns/return.ts";
import { orderWriteAccess } from "../../../../shared/orders/storage/order-repository.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/returns",
    summary: "Announce that goods of shipped orders come back",
    input: returnInput,
    record: returnRecord,
    shown: returnWithActions,
    access: orderWriteAccess,
  },
  (inputs, context) => announceReturns(context, inputs),
);
