import * as z from "zod/mini";
import { reads } from "../../../../shared/data/registries.ts";
import { readReplenishmentReferences } from "../../../../shared/data/replenishment-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { announced, replenishmentInput } from "../../../../shared/domain/inbound/replenishment.ts";
import { resolveReplenishments } from "../../../../shared/domain/inbound/replenishment-references.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { defineWithBody } from "../../../../shared/http/with-body.ts";
import { createEach } from "../../../../shared/operations/create-each.ts";
import { planReplenishments } from "../../../../shared/operations/plan-replenishments.ts";
import { replenishmentList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/replenishments",
    auth: "oms",
    summary: "Announce goods that are to come",
    request: z.object({ body: records(replenishmentInput) }),
    response: dataOf(z.array(replenishmentRecord)),
    access: { inventory: "write", ...reads("distributionCenters") },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id } = context;
    const outcomes = await createEach(context, {
      list: replenishmentList,
      inputs: resolveReplenishments(data, await readReplenishmentReferences(db, account_id, data)),
      plan: (drafts) =>
        planReplenishments(
          context,
          drafts.map(({ input, id: replenishment_id, at, path }) => ({
            after: announced(input, { account_id, replenishment_id, at }),
            path,
          })),
          presentReplenishment,
        ),
    });
    return bulkAnswer(outcomes, replenishmentRecord);
  },
);

export const handler = lambda(endpoint);
