import * as z from "zod/mini";
import { aliasPatch } from "../../../../shared/domain/catalog/alias.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { aliasRecord } from "../../../../shared/http/records/alias.ts";
import { patchAliases } from "../../../../shared/operations/patch-aliases.ts";

export const endpoint = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/aliases",
    auth: "oms",
    summary: "Change aliases, found by alias_id, else by alias and channel_id",
    request: z.object({ body: records(aliasPatch) }),
    response: dataOf(z.array(aliasRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { db, account: { account_id }, now }) =>
    bulkAnswer(await patchAliases(db, { account_id, now }, data), aliasRecord, (alias) => alias),
);

export const handler = lambda(endpoint);
