import * as z from "zod/mini";
import { findSku } from "../../../shared/catalog/name-repository.ts";
import { notFound } from "../../../shared/common/problem.ts";
import { defineRead, nameInPath } from "../../../shared/http/lists/define-read.ts";
import { attributesOf } from "../../../shared/serials/serial-batch.ts";
import { batchesSince, findSerial } from "../../../shared/serials/serial-repository.ts";
import { serialRecord } from "../../../shared/serials/serial-view.ts";

/** Reads all batches of attributes since the serial was created, which determine the cost. */
export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/serials/{sku}/{serial}",
    summary: "Read one serial number and its attributes",
    request: z.object({ params: z.object({ sku: nameInPath, serial: nameInPath }) }),
    record: serialRecord,
    access: { inventory: "read", directory: { "serial#": "read", "serial-batch#": "read" } },
  },
  async ({ params: { sku, serial } }, { db, account_id }) => {
    const product = await findSku(db, account_id, sku);
    if (product === undefined) throw notFound(`There is no product with the SKU ${sku}`);
    const found = await findSerial(db, product.product_id, serial);
    if (found === undefined) throw notFound(`The product ${sku} has no serial ${serial}`);
    const batches = await batchesSince(db, product.product_id, found.created_at);
    return { ...found, sku, attributes: attributesOf(found, batches) };
  },
);
