import * as z from "zod/mini";
import { findSku } from "../../../shared/catalog/name-repository.ts";
import { name } from "../../../shared/common/fields.ts";
import { defineList } from "../../../shared/http/lists/define-read.ts";
import { pageQuery } from "../../../shared/http/lists/pagination.ts";
import { attributesOf } from "../../../shared/serials/serial-batch.ts";
import { batchesSince, readSerials } from "../../../shared/serials/serial-repository.ts";
import { serialRecord } from "../../../shared/serials/serial-view.ts";

/** As for one serial, all batches of attributes since the oldest serial of the page are read. */
export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/serials",
    summary: "List the serial numbers of a product, with their attributes",
    request: z.object({ query: z.object({ ...pageQuery(), sku: name }) }),
    record: serialRecord,
    access: { inventory: "read", directory: { "serial#": "read", "serial-batch#": "read" } },
  },
  async ({ query: { sku, ...page } }, { db, account_id }) => {
    const product = await findSku(db, account_id, sku);
    if (product === undefined) return { records: [], total: 0 };
    const { records, total } = await readSerials(db, product.product_id, page);
    const [oldest] = records.map(({ created_at }) => created_at).toSorted();
    const batches = oldest === undefined ? [] : await batchesSince(db, product.product_id, oldest);
    return {
      records: records.map((serial) => ({ ...serial, sku, attributes: attributesOf(serial, batches) })),
      total,
    };
  },
);
