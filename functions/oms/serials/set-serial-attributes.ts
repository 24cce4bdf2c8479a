import * as z from "zod/mini";
import { insertBatch } from "../../../shared/data/serials.ts";
import { records } from "../../../shared/domain/fields.ts";
import { serialBatchInput } from "../../../shared/domain/serials/serial-batch.ts";
import { storeForeseen } from "../../../shared/http/bulk-create.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { serialBatchRecord } from "../../../shared/http/records/serial.ts";
import { draftBatches } from "../../../shared/operations/set-serial-attributes.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/serials/batch/attributes",
    auth: "oms",
    summary: "Give attributes to ranges of serial numbers",
    request: z.object({ body: records(serialBatchInput) }),
    response: dataOf(z.array(serialBatchRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { account: { account_id }, now, ...tools }) =>
    storeForeseen(tools, {
      drafts: await draftBatches(tools.db, { account_id, now }, data),
      witness: ({ lookup }) => lookup,
      plan: async (drafts) =>
        drafts.map((draft) => ({ result: draft, writes: [insertBatch(draft.batch, draft.lookup)] })),
      record: serialBatchRecord,
      present: ({ sku, batch, covered }) => ({ ...batch, sku, serials_covered: covered }),
    }),
);

export const handler = lambda(endpoint);
