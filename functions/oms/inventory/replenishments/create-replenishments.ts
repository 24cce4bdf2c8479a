import * as z from "zod/mini";
import { bulkBody } from "../../../../shared/common/fields.ts";
import { bulkCall } from "../../../../shared/http/bulk/bulk-answer.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import {
  presentReplenishment,
  replenishmentRecord,
  shownReplenishment,
} from "../../../../shared/inbound/inbound-view.ts";
import { planReplenishments } from "../../../../shared/inbound/replenishments/plan-replenishments.ts";
import { readReplenishmentReferences } from "../../../../shared/inbound/replenishments/read-replenishment-references.ts";
import { announced, replenishmentInput } from "../../../../shared/inbound/replenishments/replenishment.ts";
import { resolveReplenishments } from "../../../../shared/inbound/replenishments/replenishment-references.ts";
import { reads } from "../../../../shared/registries/registry-repository.ts";
import { replenishmentList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/replenishments",
    auth: "oms",
    summary: "Announce goods that are to come",
    request: z.object({ body: bulkBody(replenishmentInput) }),
    response: dataOf(z.array(shownReplenishment)),
    access: { inventory: "write", ...reads("distributionCenters") },
  },
  async ({ body: { data } }, context) =>
    bulkCall(context, data, replenishmentRecord, async (data, context) => {
      const { db, account_id } = context;
      return createEach(context, {
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
    }),
);

export const handler = lambda(endpoint);
