import * as z from "zod/mini";
import { synsetPatch } from "../../../../shared/domain/catalog/synset.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { synsetRecord } from "../../../../shared/http/records/synset.ts";
import { patchSynsets } from "../../../../shared/operations/patch-synsets.ts";

export const endpoint = defineEndpoint(
  {
    method: "PATCH",
    path: "/apirest/v4/oms/inventory/synsets",
    auth: "oms",
    summary: "Change synsets, found by name",
    request: z.object({ body: records(synsetPatch) }),
    response: dataOf(z.array(synsetRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { db, account: { account_id }, now }) =>
    bulkAnswer(await patchSynsets(db, { account_id, now }, data), synsetRecord, (synset) => synset),
);

export const handler = lambda(endpoint);
