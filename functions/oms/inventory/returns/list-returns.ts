import * as z from "zod/mini";
import { readChangedList } from "../../../../shared/events/changes-since.ts";
import { defineChangeList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, pageQuery, positive } from "../../../../shared/http/lists/pagination.ts";
import { exactly } from "../../../../shared/http/lists/searches.ts";
import { updatedSince } from "../../../../shared/http/lists/times.ts";
import { inboundStatuses } from "../../../../shared/inbound/inbound.ts";
import { returnedOrders, returns, withStatus } from "../../../../shared/inbound/inbound-repository.ts";
import { presentInbound, returnWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { textSearch } from "../../../../shared/store/lists/found.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";
import { listAccess } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

const query = z.object({
  ...pageQuery(),
  updated_since: updatedSince,
  status: z.optional(oneOf(inboundStatuses)),
  order_id: z.optional(positive()),
});

export const { endpoint, handler } = defineChangeList(
  {
    path: "/apirest/v4/oms/inventory/returns",
    summary: "List returns, newest first",
    request: z.object({ query }),
    record: returnWithActions,
    access: { ...listAccess("inventory"), ...lookupReadAccess },
  },
  async ({ query: { updated_since, status, order_id, ...page } }, context) => {
    const request = { ...page, ...withStatus(status) };
    const search = textSearch("order_id", exactly(order_id), returnedOrders.find);
    return mapPage(await readChangedList(context, returns, updated_since, request, [search]), presentInbound);
  },
);
