import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { findSkus } from "../../../shared/data/products.ts";
import { markSerialized, serialMarkLookup } from "../../../shared/data/serial-marks.ts";
import {
  insertSerials,
  latestBatches,
  type SerialsDraft,
  serialLookup,
  serialsWitness,
} from "../../../shared/data/serials.ts";
import { resolveSerials, type SerialsInput, serialsCall } from "../../../shared/domain/serials/serial.ts";
import { madeAfter } from "../../../shared/domain/serials/serial-batch.ts";
import { bulkAnswer } from "../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { serialsRecord } from "../../../shared/http/records/serial.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import type { AccountContext } from "../../../shared/operations/context.ts";
import { storeDrafts } from "../../../shared/operations/create-each.ts";
import { changeOne } from "../../../shared/store/change-one.ts";
import { getItems } from "../../../shared/store/reads.ts";
import { forEach } from "../../../shared/store/side-by-side.ts";

export const endpoint = defineWithBody(
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
  async ({ body: { data } }, context) => {
    const { drafts, unmarked } = await draftSerials(context, data);
    await forEach(
      unmarked,
      async (productId) => void (await changeOne(context.db, markSerialized(productId))),
    );
    const outcomes = await storeDrafts(context, {
      drafts,
      witness: serialsWitness,
      plan: (drafts) =>
        drafts.map((draft) => {
          const { sku, product_id, serials, created_at } = draft;
          const result = { sku, product_id, serials: [...serials], created_at };
          return { result, writes: insertSerials(draft) };
        }),
    });
    return bulkAnswer(outcomes, serialsRecord);
  },
);

/**
 * The serials that the call is to store, record by record, and the products that are to be marked before. Two round trips.
 * @throws Problem `invalid` where a SKU is unknown, or a serial exists or is repeated
 */
async function draftSerials(
  { db, account_id, now }: AccountContext,
  inputs: readonly SerialsInput[],
): Promise<{ readonly drafts: readonly SerialsDraft[]; readonly unmarked: readonly number[] }> {
  const skus = inputs.map(({ sku }) => sku);
  const products = await findSkus(db, account_id, skus);
  const productId = (sku: string) => products.get(sku)?.product_id;
  const asked = inputs.flatMap(({ sku, serials }) => {
    const id = productId(sku);
    return id === undefined ? [] : serials.map((serial) => serialLookup(id, serial));
  });
  const productIds = [...new Set([...products.values()].map(({ product_id }) => product_id))];
  const [find, latest] = await Promise.all([
    getItems(db, [...asked, ...productIds.map(serialMarkLookup)]),
    latestBatches(db, productIds),
  ]);
  const isTaken = (id: number, serial: string) => find(serialLookup(id, serial)) !== undefined;
  const receipt = randomUUID();
  const drafts = resolveSerials(inputs, { productId, isTaken }).map((resolved, record) => {
    const created_at = madeAfter(now, [latest.get(resolved.product_id) ?? ""]);
    return { ...resolved, created_at, receipt, record };
  });
  return { drafts, unmarked: productIds.filter((id) => find(serialMarkLookup(id)) === undefined) };
}

export const handler = lambda(endpoint);
