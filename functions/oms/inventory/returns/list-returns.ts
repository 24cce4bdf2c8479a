import * as z from "zod/mini";
import { returns } from "../../../../shared/data/inbound.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { pageQuery } from "../../../../shared/http/pagination.ts";
import { defineList } from "../../../../shared/http/reading.ts";
import { presentReturn, returnRecord } from "../../../../shared/http/records/inbound.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/returns",
    summary: "List returns, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    record: returnRecord,
    access: { inventory: "read", tallies: "read" },
  },
  async ({ query }, { db, account_id }) => mapPage(await returns.read(db, account_id, query), presentReturn),
);

export const handler = lambda(endpoint);
