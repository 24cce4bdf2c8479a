import * as z from "zod/mini";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { nameOrBeginning } from "../../../../shared/http/lists/searches.ts";
import { inboundStatuses } from "../../../../shared/inbound/inbound.ts";
import {
  replenishmentReferences,
  replenishments,
  withStatus,
} from "../../../../shared/inbound/inbound-repository.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/inbound/inbound-view.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";
import { readList } from "../../../../shared/store/lists/read-list.ts";

const query = z.object({
  ...pageQuery(),
  status: z.optional(oneOf(inboundStatuses)),
  reference: z.optional(nameOrBeginning),
});

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/replenishments",
    summary: "List replenishments, newest first",
    request: z.object({ query }),
    record: replenishmentRecord,
    access: { inventory: "read", "inventory/cells": "read", tallies: "read", directory: "read" },
  },
  async ({ query: { status, reference, ...page } }, { db, account_id }) => {
    const found = await readList(replenishments, db, account_id, { ...page, ...withStatus(status) }, [
      { field: "reference", wanted: reference, find: replenishmentReferences.find },
    ]);
    return mapPage(found, presentReplenishment);
  },
);

export const handler = lambda(endpoint);
