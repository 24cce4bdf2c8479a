import * as z from "zod/mini";
import { bulkBody } from "../../../shared/common/fields.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-answer.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { serialBatchInput } from "../../../shared/serials/serial-batch.ts";
import { insertBatch } from "../../../shared/serials/serial-repository.ts";
import { serialBatchRecord } from "../../../shared/serials/serial-view.ts";
import { draftBatches } from "../../../shared/serials/set-serial-attributes.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/serials/batch/attributes",
    auth: "oms",
    summary: "Give attributes to ranges of serial numbers",
    request: z.object({ body: bulkBody(serialBatchInput) }),
    response: dataOf(z.array(serialBatchRecord)),
    bodyNamesRecord: true,
    access: { inventory: "read", directory: { "serial#": "read", "serial-batch#": ["read", "insert"] } },
  },
  async ({ body: { data } }, context) =>
    bulkCall(context, data, serialBatchRecord, async (data, context) =>
      storeEach(
        context.db,
        await draftBatches(context, data),
        (drafts) =>
          drafts.map(({ sku, batch, covered, lookup }) => ({
            result: { ...batch, sku, serials_covered: covered },
            writes: [insertBatch(batch, lookup)],
          })),
        context.idempotency,
      ),
    ),
);

export const handler = lambda(endpoint);
