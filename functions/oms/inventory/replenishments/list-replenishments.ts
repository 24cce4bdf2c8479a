import * as z from "zod/mini";
import { readChangedList } from "../../../../shared/events/changes-since.ts";
import { defineChangeList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { severalTexts } from "../../../../shared/http/lists/searches.ts";
import { updatedSince } from "../../../../shared/http/lists/times.ts";
import { inboundStatuses } from "../../../../shared/inbound/inbound.ts";
import {
  replenishmentReferences,
  replenishments,
  withStatus,
} from "../../../../shared/inbound/inbound-repository.ts";
import { presentInbound, replenishmentWithActions } from "../../../../shared/inbound/inbound-view.ts";
import { textSearch } from "../../../../shared/store/lists/found.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";
import { listAccess } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

const query = z.object({
  ...pageQuery(),
  updated_since: updatedSince,
  status: z.optional(oneOf(inboundStatuses)),
  reference: z.optional(severalTexts()),
});

export const { endpoint, handler } = defineChangeList(
  {
    path: "/apirest/v4/oms/inventory/replenishments",
    summary: "List replenishments, newest first",
    request: z.object({ query }),
    record: replenishmentWithActions,
    access: { ...listAccess("inventory"), ...lookupReadAccess },
  },
  async ({ query: { updated_since, status, reference, ...page } }, context) => {
    const request = { ...page, ...withStatus(status) };
    const search = textSearch("reference", reference, replenishmentReferences.find);
    const found = await readChangedList(context, replenishments, updated_since, request, [search]);
    return mapPage(found, presentInbound);
  },
);
