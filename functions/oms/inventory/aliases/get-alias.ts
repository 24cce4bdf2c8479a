import * as z from "zod/mini";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf, positive } from "../../../../shared/http/pagination.ts";
import { aliasRecord } from "../../../../shared/http/records/alias.ts";
import { getAlias } from "../../../../shared/operations/get-alias.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/aliases/{alias}",
    auth: "oms",
    summary: "Read one alias by id or text",
    request: z.object({
      params: z.object({ alias: z.string().check(z.maxLength(255)) }),
      query: z.object({ channel_id: z.optional(positive()) }),
    }),
    response: dataOf(aliasRecord),
    access: { inventory: "read" },
  },
  async ({ params: { alias: identifier }, query: { channel_id } }, { db, account }) => ({
    data: await getAlias(db, account.account_id, identifier, channel_id),
  }),
);

export const handler = lambda(endpoint);
