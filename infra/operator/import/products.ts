/** Imports a merchant's catalog through the API's create call. */

import * as z from "zod/mini";
import { endpoint } from "../../../functions/oms/inventory/products/create-products.ts";
import { patched, productInput } from "../../../shared/catalog/products/product.ts";
import { findProducts } from "../../../shared/catalog/products/product-repository.ts";
import { isUnchanged } from "../../../shared/common/versioned.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import { type ReadRecord, storedByCall } from "./by-call.ts";
import { type Importing, type ImportResult, knownColumns } from "./importing.ts";
import { type Rejection, type Row, readRows, typedBy } from "./rows.ts";

export const productColumns = Object.keys(productInput.shape);

/**
 * Imports products. An existing product with the same values is unchanged; one with other values is refused.
 */
export const importProducts = (context: () => AccountContext): Importing<Row> => ({
  title: "products",
  read: (file) => knownColumns(readRows(file), productColumns),
  store: async (rows) => {
    const records = rows.map(({ row, fields }) => ({ row, record: typed(fields) }));
    const { fresh, unchanged, refused } = await knownAmong(context(), records);
    const stored = await storedByCall(fresh, (body) =>
      endpoint.flow(parseRequest(endpoint.request, { body }), context()),
    );
    return {
      created: stored.created,
      unchanged,
      refused: [...refused, ...stored.refused],
    };
  },
});

/** The fields of a row, with numbers where a product has numbers. */
const typed = (fields: Row["fields"]): object =>
  Object.fromEntries(
    Object.entries(productInput.shape).flatMap(([name, schema]) =>
      name in fields ? [[name, typedBy(schema, fields[name])]] : [],
    ),
  );

/** Separates new records from existing ones. */
async function knownAmong(
  { db, account_id, now }: AccountContext,
  records: readonly ReadRecord[],
): Promise<Pick<ImportResult, "unchanged" | "refused"> & { readonly fresh: readonly ReadRecord[] }> {
  const read = records.map((one) => ({ one, input: z.safeParse(productInput, one.record).data }));
  const skus = read.flatMap(({ input }) => input?.sku ?? []);
  const existing = await findProducts(db, account_id, [...new Set(skus)]);
  const fresh: ReadRecord[] = [];
  const refused: Rejection[] = [];
  let unchanged = 0;
  for (const { one, input } of read) {
    const before = input === undefined ? undefined : existing.get(input.sku)?.record;
    if (before === undefined || input === undefined) fresh.push(one);
    else if (isUnchanged(before, patched(before, input, now))) unchanged += 1;
    else
      refused.push({
        row: one.row,
        field: "sku",
        message: "exists with other values; PATCH changes a product",
      });
  }
  return { fresh, unchanged, refused };
}
