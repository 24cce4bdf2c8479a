import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { patchEach } from "../../../../shared/http/bulk/patch-each.ts";
import { replenishments } from "../../../../shared/inbound/inbound-repository.ts";
import {
  presentInbound,
  replenishmentReadOnly,
  replenishmentRecord,
  replenishmentWithActions,
} from "../../../../shared/inbound/inbound-view.ts";
import { planReplenishments } from "../../../../shared/inbound/replenishments/plan-replenishments.ts";
import { replenishmentPatch } from "../../../../shared/inbound/replenishments/replenishment.ts";
import {
  readReplenishmentReferences,
  revise,
} from "../../../../shared/inbound/replenishments/replenishment-references.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/replenishments",
    summary: "Change replenishments that are still to come, found by id",
    input: replenishmentPatch,
    record: replenishmentRecord,
    shown: replenishmentWithActions,
    readOnly: replenishmentReadOnly,
    bodyNamesRecord: true,
    takesVersion: true,
    access: { inventory: "write-records", ...registryReadAccess("distributionCenters") },
  },
  async (data, context) => {
    const { db, account_id, now } = context;
    return patchEach(context, data, {
      title: "replenishment",
      nameOf: ({ replenishment_id: id }) => ({
        field: "replenishment_id",
        value: id,
        words: `replenishment with replenishment_id ${id}`,
      }),
      read: async (sent) => {
        const ids = sent.map(({ replenishment_id }) => replenishment_id);
        const [references, found] = await Promise.all([
          readReplenishmentReferences(db, account_id, sent),
          replenishments.findAll(db, account_id, ids),
        ]);
        return { references, find: ({ replenishment_id }) => found.get(replenishment_id) };
      },
      plan: (found, references) => {
        const steps = found.map(({ before, value: sent, path }) => {
          const decision = revise(before.record, sent, references, path, now);
          return "problem" in decision ? decision : { before, ...decision };
        });
        return planReplenishments({ db, now }, steps, presentInbound);
      },
    });
  },
);
