import * as z from "zod/mini";
import { manufactureOrders } from "../../../shared/data/manufacture.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { listBody, listOf, pageQuery } from "../../../shared/http/pagination.ts";
import { manufactureRecord } from "../../../shared/http/records/manufacture.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/manufacture",
    auth: "oms",
    summary: "List manufacture orders, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    response: listOf(manufactureRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account }) => {
    const { page, per_page: perPage } = query;
    const { records, total } = await manufactureOrders.read(db, account.account_id, { page, perPage });
    return listBody(records, total, query);
  },
);

export const handler = lambda(endpoint);
