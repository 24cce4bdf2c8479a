import * as z from "zod/mini";
import { records } from "../../../../shared/domain/fields.ts";
import { replenishmentPatch } from "../../../../shared/domain/inbound/replenishment.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { patchReplenishments } from "../../../../shared/operations/patch-replenishments.ts";

export const endpoint = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/replenishments",
    auth: "oms",
    summary: "Change replenishments that are still to come, found by id",
    request: z.object({ body: records(replenishmentPatch) }),
    response: dataOf(z.array(replenishmentRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { db, account: { account_id }, now }) => {
    const outcomes = await patchReplenishments(db, { account_id, now }, data);
    return bulkAnswer(outcomes, replenishmentRecord, presentReplenishment);
  },
);

export const handler = lambda(endpoint);
