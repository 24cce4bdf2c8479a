import { statements } from "../../domain/events/types.ts";
import { orderReturn } from "../../domain/inbound/return.ts";
import { presentReturn, returnRecord } from "../../http/records/inbound.ts";
import { returnList } from "../../store/lists/definitions.ts";
import { hasReceived } from "../received.ts";
import { recordKind } from "../record-kind.ts";

export const returnKind = recordKind({
  ...statements.return,
  version: "2026-11-22",
  record: returnRecord,
  list: returnList,
  stored: orderReturn,
  idOf: ({ return_id }) => return_id,
  present: presentReturn,
  typesOf: (before, after) => {
    if (before === undefined) return ["return.created"];
    return hasReceived(before.items, after.items) ? ["return.received"] : [];
  },
});
