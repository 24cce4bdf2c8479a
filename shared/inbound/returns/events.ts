import { recordEvents } from "../../events/kind.ts";
import { eventCatalog } from "../../events/types.ts";
import { hasReceived } from "../inbound.ts";
import { returnList } from "../inbound-repository.ts";
import { presentInbound, returnRecord } from "../inbound-view.ts";
import { orderReturn } from "./return.ts";

export const returnEvents = recordEvents({
  ...eventCatalog.return,
  version: "2026-11-22",
  record: returnRecord,
  list: returnList,
  stored: orderReturn,
  idOf: ({ return_id }) => return_id,
  present: presentInbound,
  typesOf: (before, after) => {
    if (before === undefined) return ["return.created"];
    return hasReceived(before.items, after.items) ? ["return.received"] : [];
  },
});
