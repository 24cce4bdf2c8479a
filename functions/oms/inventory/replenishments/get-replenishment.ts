import * as z from "zod/mini";
import { defineRead, idOrName } from "../../../../shared/http/lists/define-read.ts";
import { replenishments } from "../../../../shared/inbound/inbound-repository.ts";
import { presentInbound, replenishmentWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { getRecord } from "../../../../shared/store/lists/repository.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/inventory/replenishments/{replenishment}",
    summary: "Read one replenishment",
    request: z.object({ params: z.object({ replenishment: idOrName }) }),
    record: replenishmentWithActions,
    access: { inventory: "read" },
  },
  async ({ params }, context) =>
    presentInbound((await getRecord(context, replenishments, params.replenishment)).record),
);
