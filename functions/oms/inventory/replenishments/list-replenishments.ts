import * as z from "zod/mini";
import { replenishments } from "../../../../shared/data/inbound.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { pageQuery } from "../../../../shared/http/pagination.ts";
import { defineList } from "../../../../shared/http/reading.ts";
import { presentReplenishment, replenishmentRecord } from "../../../../shared/http/records/inbound.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/replenishments",
    summary: "List replenishments, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: replenishmentRecord,
    access: { inventory: "read", tallies: "read" },
  },
  async ({ query }, { db, account_id }) =>
    mapPage(await replenishments.read(db, account_id, query), presentReplenishment),
);

export const handler = lambda(endpoint);
