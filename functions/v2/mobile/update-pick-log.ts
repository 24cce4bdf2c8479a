import * as z from "zod/mini";
import { id, name, optional, quantity } from "../../../shared/common/fields.ts";
import { defineMobileEndpoint } from "../../../shared/http/define-mobile.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";
import { pickLog, presentPickLog } from "../../../shared/picking/pick-log-view.ts";
import { maxPicksAndSerials } from "../../../shared/picking/picking.ts";
import { pickOrder } from "../../../shared/picking/picking-flows.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { serialText } from "../../../shared/serials/serial.ts";
import { serialPickAccess } from "../../../shared/serials/serial-repository.ts";

const listOf = <T extends z.core.$ZodType>(entry: T) =>
  z.array(entry).check(z.minLength(1), z.maxLength(maxPicksAndSerials));

const pickInput = z.object({
  sku: name,
  location: name,
  bin: name,
  quantity,
  serials: optional(listOf(serialText)),
});

export const { endpoint, handler } = defineMobileEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/pp-updateLogPick-1",
    auth: "mobile",
    summary: "Note what was picked for an order",
    request: z.object({ body: z.object({ order_id: id, picks: listOf(pickInput) }) }),
    response: dataOf(pickLog),
    bodyNamesRecord: true,
    access: { ...orderWriteAccess, ...serialPickAccess, ...registryReadAccess("allBins") },
  },
  ({ body: { order_id, picks } }, { user: { user_name }, ...context }) =>
    pickOrder({ ...context, user_name }, order_id, picks, (picked) => ({ data: presentPickLog(picked) })),
);
