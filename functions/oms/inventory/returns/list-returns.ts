import * as z from "zod/mini";
import { returns } from "../../../../shared/data/inbound.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listOf, pageQuery } from "../../../../shared/http/pagination.ts";
import { presentReturn, returnRecord } from "../../../../shared/http/records/inbound.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/returns",
    auth: "oms",
    summary: "List returns, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    response: listOf(returnRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account }) => {
    const { page, per_page: perPage } = query;
    const { records, total } = await returns.read(db, account.account_id, { page, perPage });
    return listBody(records.map(presentReturn), total, query);
  },
);

export const handler = lambda(endpoint);
