import { statements } from "../../domain/events/types.ts";
import { replenishment } from "../../domain/inbound/replenishment.ts";
import { presentReplenishment, replenishmentRecord } from "../../http/records/inbound.ts";
import { replenishmentList } from "../../store/lists/definitions.ts";
import { hasReceived } from "../received.ts";
import { recordKind } from "../record-kind.ts";

export const replenishmentKind = recordKind({
  ...statements.replenishment,
  version: "2026-11-22",
  record: replenishmentRecord,
  list: replenishmentList,
  stored: replenishment,
  idOf: ({ replenishment_id }) => replenishment_id,
  present: presentReplenishment,
  typesOf: (before, after) => {
    if (before === undefined) return ["replenishment.created"];
    return [hasReceived(before.items, after.items) ? "replenishment.received" : "replenishment.updated"];
  },
});
