import * as z from "zod/mini";
import { readKitStock } from "../../../../shared/data/kit-stock.ts";
import { findSkus } from "../../../../shared/data/products.ts";
import { findDistributionCenter } from "../../../../shared/data/registries.ts";
import { readStock, stockFacets, stockOf } from "../../../../shared/data/stock.ts";
import { findSynsetEntry } from "../../../../shared/data/synsets.ts";
import { name } from "../../../../shared/domain/fields.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { pageOfAll, pageQuery } from "../../../../shared/http/pagination.ts";
import { defineList } from "../../../../shared/http/reading.ts";
import { presentKit, presentStock, stockRecord } from "../../../../shared/http/records/stock.ts";
import type { AccountContext } from "../../../../shared/operations/context.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";

const query = z.object({
  ...pageQuery(1000, 1000),
  sku: z.optional(name),
  distribution_center: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/stock",
    summary: "List stock levels",
    request: z.object({ query }),
    record: stockRecord,
    access: { inventory: "read", tallies: "read" },
  },
  async ({ query: { sku, distribution_center: code, ...page } }, context) => {
    const { db, account_id } = context;
    if (sku !== undefined) {
      const all = await stockOfSku(context, sku);
      return pageOfAll(
        all.filter((level) => code === undefined || level.distribution_center === code),
        page,
      );
    }
    const registered = code === undefined ? undefined : await findDistributionCenter(db, code);
    const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
    const request = { ...page, direction: "asc" as const, ...stockFacets.matching({ center }) };
    return mapPage(await readStock(db, account_id, request), presentStock);
  },
);

/** Stock of the product with this SKU, one level for each center. Without such a product, stock of the kit so named. */
async function stockOfSku({ db, account_id }: AccountContext, sku: string) {
  const [products, kit] = await Promise.all([
    findSkus(db, account_id, [sku]),
    findSynsetEntry(db, account_id, sku),
  ]);
  const product = products.get(sku);
  if (product !== undefined) return (await stockOf(db, product.product_id)).map(presentStock);
  if (kit === undefined) return [];
  const kitStockOf = await readKitStock(db, account_id, [kit]);
  return [presentKit({ sku, synset_id: kit.synset_id, ...kitStockOf(kit) })];
}

export const handler = lambda(endpoint);
