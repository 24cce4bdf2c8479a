import * as z from "zod/mini";
import { replenishments } from "../../../../shared/data/inbound.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineRead, identifier } from "../../../../shared/http/reading.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { getRecord } from "../../../../shared/operations/get-record.ts";

export const endpoint = defineRead(
  {
    path: "/apirest/v4/oms/inventory/replenishments/{replenishment}",
    summary: "Read one replenishment",
    request: z.object({ params: z.object({ replenishment: identifier }) }),
    record: replenishmentRecord,
    access: { inventory: "read" },
  },
  async ({ params }, context) =>
    presentReplenishment(await getRecord(context, replenishments, params.replenishment)),
);

export const handler = lambda(endpoint);
