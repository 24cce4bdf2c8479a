import * as z from "zod/mini";
import { findSkus } from "../../../shared/data/products.ts";
import { batchesSince, readSerials } from "../../../shared/data/serials.ts";
import { name } from "../../../shared/domain/fields.ts";
import { attributesOf } from "../../../shared/domain/serials/serial-batch.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { pageQuery } from "../../../shared/http/pagination.ts";
import { defineList } from "../../../shared/http/reading.ts";
import { serialRecord } from "../../../shared/http/records/serial.ts";

/** As for one serial, all batches of attributes since the oldest serial of the page are read. */
export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/serials",
    summary: "List the serial numbers of a product, with their attributes",
    request: z.object({ query: z.object({ ...pageQuery(), sku: name }) }),
    record: serialRecord,
    access: { inventory: "read", directory: { "serial#": "read", "serial-batch#": "read" } },
  },
  async ({ query: { sku, ...page } }, { db, account_id }) => {
    const product = (await findSkus(db, account_id, [sku])).get(sku);
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

export const handler = lambda(endpoint);
