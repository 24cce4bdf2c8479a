import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { findSkus } from "../../../shared/catalog/name-repository.ts";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import { bulkCall } from "../../../shared/http/bulk/bulk-call.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { resolveSerials, type SerialsInput, serialsCall } from "../../../shared/serials/serial.ts";
import { madeAfter } from "../../../shared/serials/serial-batch.ts";
import {
  callIdAttribute,
  insertSerials,
  latestBatches,
  markSerialized,
  type SerialsDraft,
  serialLookup,
  serialMarkLookup,
  storedSerial,
} from "../../../shared/serials/serial-repository.ts";
import { serialsRecord } from "../../../shared/serials/serial-view.ts";
import { storeEach } from "../../../shared/store/bulk/bulk.ts";
import { changeOne } from "../../../shared/store/dynamodb/change-one.ts";
import { getItems, parsed } from "../../../shared/store/dynamodb/reads.ts";
import { transactionLimit } from "../../../shared/store/dynamodb/transact.ts";

export const endpoint = defineEndpoint(
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
    bulkCall(context, data, serialsRecord, async (data, context) => {
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
            return { result, writes: draft.isStored ? [] : insertSerials(draft) };
          }),
        {
          receiptOf: (position, result) => (hasRoom(result) ? context.receiptOf(position, result) : []),
        },
      );
    }),
);

/** Whether the transaction of a record has room for a receipt; else its serials identify the call. */
const hasRoom = ({ serials }: { readonly serials: readonly string[] }): boolean =>
  serials.length < transactionLimit;

/**
 * The serials that the call is to store, record by record, and the products that are to be marked before. Two
 * round trips.
 * @throws Problem `invalid` if a SKU is unknown, or a serial exists or is repeated
 */
async function draftSerials(
  { db, account_id, now, idempotency }: AccountContext,
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
  const { callId = randomUUID() } = idempotency;
  const existing = (id: number, serial: string) => parsed(storedSerial, find(serialLookup(id, serial)));
  const isTaken = (id: number, serial: string) => {
    const known = existing(id, serial);
    return known !== undefined && known[callIdAttribute] !== callId;
  };
  const drafts = resolveSerials(inputs, { productId, isTaken }).map((resolved, record) => {
    const {
      product_id,
      serials: [first = ""],
    } = resolved;
    const stored = existing(product_id, first);
    const created_at = stored?.created_at ?? madeAfter(now, [latest.get(product_id) ?? ""]);
    return { ...resolved, created_at, callId, record, isStored: stored !== undefined };
  });
  return { drafts, unmarked: productIds.filter((id) => find(serialMarkLookup(id)) === undefined) };
}

export const handler = lambda(endpoint);
