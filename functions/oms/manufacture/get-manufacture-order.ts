import * as z from "zod/mini";
import { manufactureOrders } from "../../../shared/data/manufacture.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { manufactureRecord } from "../../../shared/http/records/manufacture.ts";
import { getRecord } from "../../../shared/operations/get-record.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/manufacture/{order}",
    auth: "oms",
    summary: "Read one manufacture order",
    request: z.object({ params: z.object({ order: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(manufactureRecord),
    access: { inventory: "read" },
  },
  async ({ params: { order: id } }, { db, account }) => ({
    data: await getRecord(db, manufactureOrders, account.account_id, id),
  }),
);

export const handler = lambda(endpoint);
