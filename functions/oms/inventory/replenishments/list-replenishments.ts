import * as z from "zod/mini";
import { replenishmentReferences, replenishments, withStatus } from "../../../../shared/data/inbound.ts";
import { inboundStatuses } from "../../../../shared/domain/inbound/inbound.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { oneOf, pageQuery } from "../../../../shared/http/pagination.ts";
import { defineList } from "../../../../shared/http/reading.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { nameOrBeginning } from "../../../../shared/http/searches.ts";
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
