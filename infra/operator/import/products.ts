/** Imports a merchant's catalog through the API's create call. */

import * as z from "zod/mini";
import { endpoint as creation } from "../../../functions/oms/inventory/products/create-products.ts";
import { endpoint as patch } from "../../../functions/oms/inventory/products/patch-products.ts";
import { patched, productInput } from "../../../shared/catalog/products/product.ts";
import { findProducts } from "../../../shared/catalog/products/product-repository.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import { type Compared, type ReadRecord, storeCompared } from "./by-call.ts";
import type { Rejection, Row } from "./columns.ts";
import { differences, type Importing } from "./importing.ts";
import { productColumns, productOf } from "./product-rows.ts";
import { readRows } from "./rows.ts";

/** Imports products. Those that exist with other values are changed with `update` only. */
export const importProducts = (context: () => AccountContext, update: boolean): Importing<Row> => ({
  title: "products",
  read: (file) => readRows(file, productColumns),
  store: async (rows) => {
    const records = rows.map(productOf);
    const calls = {
      create: (body: object) => creation.flow(parseRequest(creation.request, { body }), context()),
      change: (body: object) => patch.flow(parseRequest(patch.request, { body }), context()),
    };
    return storeCompared(await compared(context(), records), calls, update);
  },
});

async function compared(
  { db, account_id, now }: AccountContext,
  records: readonly ReadRecord[],
): Promise<Compared> {
  const read = records.map((one) => ({ one, input: z.safeParse(productInput, one.record).data }));
  const skus = read.flatMap(({ input }) => input?.sku ?? []);
  const existing = await findProducts(db, account_id, [...new Set(skus)]);
  const [fresh, differing, different]: [ReadRecord[], ReadRecord[], Rejection[]] = [[], [], []];
  let unchanged = 0;
  for (const { one, input } of read) {
    const before = input === undefined ? undefined : existing.get(input.sku)?.record;
    if (before === undefined || input === undefined) fresh.push(one);
    else {
      const { version: _version, updated_at: _at, ...after } = patched(before, input, now);
      const wrong = differences(one.row, before, after);
      if (wrong.length === 0) unchanged += 1;
      else {
        differing.push(one);
        different.push(...wrong);
      }
    }
  }
  return { fresh, unchanged, differing, different };
}
