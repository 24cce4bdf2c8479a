import { defineBulk } from "../../../shared/http/bulk/bulk-call.ts";
import { draftBatches } from "../../../shared/serials/draft-batches.ts";
import { serialBatchInput } from "../../../shared/serials/serial-batch.ts";
import { insertBatch } from "../../../shared/serials/serial-repository.ts";
import { serialBatchRecord } from "../../../shared/serials/serial-view.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";

export const { endpoint, handler } = defineBulk(
  {
    method: "POST",
    path: "/apirest/v4/oms/serials/batch/attributes",
    summary: "Give attributes to ranges of serial numbers",
    input: serialBatchInput,
    record: serialBatchRecord,
    bodyNamesRecord: true,
    access: { inventory: "read", directory: { "serial#": "read", "serial-batch#": ["read", "insert"] } },
  },
  async (data, context) =>
    storeEach(
      context.db,
      await draftBatches(context, data),
      (drafts) =>
        drafts.map(({ sku, batch, covered, lookup }) => ({
          result: { ...batch, sku, serials_covered: covered },
          writes: [insertBatch(batch, lookup)],
        })),
      context,
    ),
);
