import * as z from "zod/mini";
import { returns } from "../../../../shared/data/inbound.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReturn, returnRecord } from "../../../../shared/http/records/inbound.ts";
import { getRecord } from "../../../../shared/operations/get-record.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/returns/{return}",
    auth: "oms",
    summary: "Read one return",
    request: z.object({ params: z.object({ return: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(returnRecord),
    access: { inventory: "read" },
  },
  async ({ params: { return: id } }, { db, account }) => ({
    data: presentReturn(await getRecord(db, returns, account.account_id, id)),
  }),
);

export const handler = lambda(endpoint);
