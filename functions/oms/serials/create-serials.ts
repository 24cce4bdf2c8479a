import * as z from "zod/mini";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { placed } from "../../../shared/common/placed.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { draftSerials } from "../../../shared/serials/draft-serials.ts";
import { serialsCall } from "../../../shared/serials/serial.ts";
import { insertSerials, markSerialized } from "../../../shared/serials/serial-repository.ts";
import { serialsRecord } from "../../../shared/serials/serial-view.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import { transactionLimit } from "../../../shared/store/dynamodb/transact.ts";
import { storedTogether } from "../../../shared/store/dynamodb/writes.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/serials/bulk",
    auth: "oms",
    summary: "Create serial numbers of products",
    request: z.object({ body: serialsCall }),
    response: dataOf(z.array(serialsRecord)),
    access: {
      inventory: "read",
      directory: {
        "serial#": ["read", "insert"],
        "serial-batch#": "read",
        "serialized#": ["read", "change"],
      },
    },
  },
  async ({ body: { data } }, context) =>
    bulkCall(context, placed(data), serialsRecord, async (data, context) => {
      const { drafts, unmarked } = await draftSerials(context, data);
      await forEachConcurrently(
        unmarked,
        async (productId) => void (await changeOne(context.db, markSerialized(productId))),
      );
      return storeEach(
        context.db,
        drafts,
        (drafts) =>
          drafts.map((draft) => {
            const { sku, product_id, serials, created_at } = draft;
            const result = { sku, product_id, serials: [...serials], created_at };
            return { result, writes: draft.isStored ? [] : storedTogether(insertSerials(draft)) };
          }),
        {
          ...context,
          receiptOf: (position, result) => (hasRoom(result) ? context.receiptOf(position, result) : []),
        },
      );
    }),
);

/** Whether the transaction of a record has room for a receipt. If not, its serials identify the call. */
const hasRoom = ({ serials }: { readonly serials: readonly string[] }): boolean =>
  serials.length < transactionLimit;
