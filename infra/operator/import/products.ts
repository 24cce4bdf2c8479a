/** Imports a merchant's catalog through the API's create call. */

import * as z from "zod/mini";
import { endpoint as creation } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/products/patch-products.ts";
import { patchProduct, productInput } from "../../../shared/catalog/products/product.ts";
import { findProducts } from "../../../shared/catalog/products/product-repository.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { compareEach, type ReadRecord, storeCompared } from "../../import/by-call.ts";
import { recordPerRow } from "../../import/each-once.ts";
import { productColumns, productOfRow, productOnce } from "../../import/product-rows.ts";
import { callOf, differences, dryRunContext, type Importing } from "./importing.ts";
import { readRows } from "./rows.ts";

/** Imports products. Those that exist with other values are changed with `update` only. */
export const importProducts = (context: () => AccountContext, update: boolean): Importing<ReadRecord> => ({
  title: "products",
  once: productOnce,
  read: (file) => recordPerRow(readRows(file, productColumns), productOfRow),
  store: async (records) => {
    const change = callOf(patch, update ? context : dryRunContext(context));
    const calls = { create: callOf(creation, context), change };
    return storeCompared(await compared(context(), records), calls, update);
  },
});

async function compared({ db, account_id, now }: AccountContext, records: readonly ReadRecord[]) {
  const read = records.map((one) => ({ ...one, input: z.safeParse(productInput, one.record).data }));
  const skus = read.flatMap(({ input }) => input?.sku ?? []);
  const existing = await findProducts(db, account_id, [...new Set(skus)]);
  return compareEach(read, ({ row, input }) => {
    const before = input === undefined ? undefined : existing.get(input.sku)?.record;
    if (before === undefined || input === undefined) return undefined;
    const { version: _version, updated_at: _at, ...after } = patchProduct(before, input, now);
    return differences(row, before, after);
  });
}
