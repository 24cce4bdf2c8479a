import * as z from "zod/mini";
import { replenishments } from "../../../../shared/data/inbound.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { getRecord } from "../../../../shared/operations/get-record.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/replenishments/{replenishment}",
    auth: "oms",
    summary: "Read one replenishment",
    request: z.object({ params: z.object({ replenishment: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(replenishmentRecord),
    access: { inventory: "read" },
  },
  async ({ params: { replenishment: id } }, { db, account }) => ({
    data: presentReplenishment(await getRecord(db, replenishments, account.account_id, id)),
  }),
);

export const handler = lambda(endpoint);
