import * as z from "zod/mini";
import { id, optional, text } from "../../../shared/common/fields.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { orderWithActions, presentOrder } from "../../../shared/orders/order-view.ts";
import { orderWriteAccess } from "../../../shared/orders/storage/order-repository.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { playWarehouse, stages } from "../../../shared/sandbox/play-warehouse.ts";
import { serialPickAccess } from "../../../shared/serials/serial-repository.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/simulations",
    auth: "oms",
    summary: "Simulate the warehouse for an order of a sandbox account",
    request: z.object({
      body: z.object({ order_id: id, to: z.enum(stages), tracking_number: optional(text(100)) }),
    }),
    response: dataOf(orderWithActions),
    bodyNamesRecord: true,
    isMultiStep: true,
    access: { ...orderWriteAccess, ...serialPickAccess, ...registryReadAccess("bins") },
  },
  async ({ body }, context) => ({ data: presentOrder(await playWarehouse(context, body)) }),
);
