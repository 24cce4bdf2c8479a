import * as z from "zod/mini";
import { replenishments } from "../../../../shared/data/inbound.ts";
import { reads } from "../../../../shared/data/registries.ts";
import { readReplenishmentReferences } from "../../../../shared/data/replenishment-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { replenishmentPatch } from "../../../../shared/domain/inbound/replenishment.ts";
import { revise } from "../../../../shared/domain/inbound/replenishment-references.ts";
import { repeats } from "../../../../shared/domain/repeats.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { defineWithBody } from "../../../../shared/http/with-body.ts";
import { patchEach } from "../../../../shared/operations/patch-each.ts";
import { planReplenishments } from "../../../../shared/operations/plan-replenishments.ts";

export const endpoint = defineWithBody(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/replenishments",
    auth: "oms",
    summary: "Change replenishments that are still to come, found by id",
    request: z.object({ body: records(replenishmentPatch) }),
    response: dataOf(z.array(replenishmentRecord)),
    bodyNamesRecord: true,
    access: { inventory: "write", ...reads("distributionCenters") },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id, now } = context;
    const outcomes = await patchEach(context, data, {
      title: "replenishment",
      nameOf: ({ replenishment_id: id }) => ({
        field: "replenishment_id",
        value: id,
        words: `replenishment with replenishment_id ${id}`,
      }),
      repeated: repeats(
        data.map(({ replenishment_id }) => String(replenishment_id)),
        (position) => `data.${position}.replenishment_id`,
      ),
      read: async (sent) => {
        const ids = sent.map(({ replenishment_id }) => replenishment_id);
        const [references, found] = await Promise.all([
          readReplenishmentReferences(db, account_id, sent),
          replenishments.findAll(db, account_id, ids),
        ]);
        return { references, find: ({ replenishment_id }) => found.get(replenishment_id) };
      },
      plan: (found, references) => {
        const steps = found.map(({ before, sent, path }) => {
          const decision = revise(before, sent, references, path, now);
          return "problem" in decision ? decision : { before, path, ...decision };
        });
        return planReplenishments(context, steps, presentReplenishment);
      },
    });
    return bulkAnswer(outcomes, replenishmentRecord);
  },
);

export const handler = lambda(endpoint);
