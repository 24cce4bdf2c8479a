import { valuesOf } from "../../../../shared/common/placed.ts";
import { defineBulk } from "../../../../shared/http/bulk/bulk-call.ts";
import { createEach } from "../../../../shared/http/bulk/create-each.ts";
import { replenishmentList } from "../../../../shared/inbound/inbound-repository.ts";
import {
  presentInbound,
  replenishmentRecord,
  replenishmentWithActions,
} from "../../../../shared/inbound/inbound-view.ts";
import { planReplenishments } from "../../../../shared/inbound/replenishments/plan-replenishments.ts";
import {
  newReplenishment,
  replenishmentInput,
} from "../../../../shared/inbound/replenishments/replenishment.ts";
import {
  readReplenishmentReferences,
  resolveReplenishments,
} from "../../../../shared/inbound/replenishments/replenishment-references.ts";
import { registryReadAccess } from "../../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/replenishments",
    summary: "Announce goods that are to come",
    input: replenishmentInput,
    record: replenishmentRecord,
    shown: replenishmentWithActions,
    access: { inventory: "write-records", ...registryReadAccess("distributionCenters") },
  },
  async (data, context) => {
    const { db, account_id } = context;
    return createEach(context, {
      list: replenishmentList,
      inputs: resolveReplenishments(data, await readReplenishmentReferences(db, account_id, valuesOf(data))),
      plan: (drafts) =>
        planReplenishments(
          context,
          drafts.map(({ value: terms, id: replenishment_id, at }) => ({
            after: newReplenishment(terms, { account_id, replenishment_id, at }),
          })),
          presentInbound,
        ),
    });
  },
);
