import * as z from "zod/mini";
import { bulkBody } from "../../../../shared/common/fields.ts";
import { bulkCall } from "../../../../shared/http/bulk/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/responses.ts";
import { returnRecord, shownReturn } from "../../../../shared/inbound/inbound-view.ts";
import { announceReturns } from "../../../../shared/inbound/returns/announce-returns.ts";
import { returnInput } from "../../../../shared/inbound/returns/return.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/returns",
    auth: "oms",
    summary: "Announce that goods of shipped orders come back",
    request: z.object({ body: bulkBody(returnInput) }),
    response: dataOf(z.array(shownReturn)),
    access: { orders: "write", inventory: "write" },
  },
  async ({ body: { data } }, context) =>
    bulkCall(context, data, returnRecord, (inputs, context) => announceReturns(context, inputs)),
);

export const handler = lambda(endpoint);
