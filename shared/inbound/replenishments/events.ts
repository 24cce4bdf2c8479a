import { recordEvents } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { hasReceived } from "../inbound.ts";
import { replenishmentList } from "../inbound-repository.ts";
import { presentInbound, replenishmentRecord } from "../inbound-view.ts";
import { replenishment } from "./replenishment.ts";

export const replenishmentEvents = recordEvents({
  ...eventCatalog.replenishment,
  version: "2026-11-22",
  record: replenishmentRecord,
  list: replenishmentList,
  stored: replenishment,
  idOf: ({ replenishment_id }) => replenishment_id,
  present: presentInbound,
  typesOf: (before, after) => {
    if (before === undefined) return ["replenishment.created"];
    return [hasReceived(before.items, after.items) ? "replenishment.received" : "replenishment.updated"];
  },
});
