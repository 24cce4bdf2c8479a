import * as z from "zod/mini";
import { records } from "../../../../shared/domain/fields.ts";
import { returnInput } from "../../../../shared/domain/inbound/return.ts";
import { createEach } from "../../../../shared/http/bulk-create.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { presentReturn, returnRecord } from "../../../../shared/http/records/inbound.ts";
import { planReturns } from "../../../../shared/operations/plan-returns.ts";
import { returnList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/returns",
    auth: "oms",
    summary: "Announce that goods of shipped orders come back",
    request: z.object({ body: records(returnInput) }),
    response: dataOf(z.array(returnRecord)),
    access: { orders: "write", inventory: "write" },
  },
  async ({ body: { data } }, { account: { account_id }, actor, ...tools }) =>
    createEach(tools, {
      list: returnList,
      owner: account_id,
      inputs: data,
      plan: (drafts) => planReturns(tools.db, { account_id, actor }, drafts),
      record: returnRecord,
      present: presentReturn,
    }),
);

export const handler = lambda(endpoint);
