import { orderReturn } from "../../domain/inbound/return.ts";
import { presentReturn, returnRecord } from "../../http/records/inbound.ts";
import { returnList } from "../../store/lists/definitions.ts";
import { hasReceived } from "../received.ts";
import { recordKind } from "../record-kind.ts";

export const returnKind = recordKind({
  subject: "return",
  version: "2026-11-22",
  types: {
    "return.created": "A return of shipped goods was announced.",
    "return.received": "Goods of a return were put away; its status says whether all of them are.",
  },
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
