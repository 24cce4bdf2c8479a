import * as z from "zod/mini";
import { moment } from "../../../../shared/common/fields.ts";
import { invalidAt } from "../../../../shared/common/problem.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { pageOfAll, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { severalNames } from "../../../../shared/http/lists/searches.ts";
import type { AccountContext } from "../../../../shared/lambda/context.ts";
import { findDistributionCenter, reads } from "../../../../shared/registries/registry-repository.ts";
import { currentStockOf, findStock, readStock } from "../../../../shared/stock/find-stock.ts";
import { heldAccess } from "../../../../shared/stock/holds/hold-repository.ts";
import { expectKept, pastStockOf, readPastStock } from "../../../../shared/stock/past-stock.ts";
import { stockFacets } from "../../../../shared/stock/stock-repository.ts";
import {
  presentKit,
  presentPast,
  presentStock,
  type StockRecord,
  stockRecord,
} from "../../../../shared/stock/stock-view.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";

const query = z.object({
  ...pageQuery(1000, 1000),
  sku: z.optional(severalNames),
  distribution_center: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  as_of: z.optional(moment),
});
type Query = z.output<typeof query>;

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/stock",
    summary: "List stock levels",
    request: z.object({ query }),
    record: stockRecord,
    access: {
      inventory: "read",
      "inventory/cells": "read",
      tallies: "read",
      ...heldAccess,
      ...reads("distributionCenters"),
    },
  },
  async ({ query }, context) => {
    if (query.as_of !== undefined) expectKept(query.as_of, context.now);
    if (query.sku !== undefined) return pageOfAll(await named({ ...query, sku: query.sku }, context), query);
    const { db } = context;
    const { distribution_center: code, as_of, page, per_page } = query;
    const registered = code === undefined ? undefined : await findDistributionCenter(db, code);
    const center = code === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
    const request = { page, per_page, direction: "asc" as const, ...stockFacets.matching({ center }) };
    return as_of === undefined
      ? mapPage(await readStock(db, context.account_id, request), presentStock)
      : mapPage(await readPastStock(context, request, as_of), presentPast(as_of));
  },
);

/** The stock of the named products and kits, in the order of the names. */
async function named(
  { sku, distribution_center: code, as_of }: Query & { readonly sku: NonNullable<Query["sku"]> },
  context: AccountContext,
): Promise<readonly StockRecord[]> {
  const found = await findStock(context, sku);
  const records = await Promise.all(
    found.map(async (one): Promise<readonly StockRecord[]> => {
      if ("kit" in one) {
        if (as_of === undefined) return [presentKit(one.kit)];
        const message = `can't be combined with the kit ${one.kit.sku}: its earlier components are not kept; send SKUs`;
        throw invalidAt([{ path: "as_of", message }]);
      }
      return as_of === undefined
        ? (await currentStockOf(context.db, one.product_id)).map(presentStock)
        : (await pastStockOf(context, one.product_id, as_of)).map(presentPast(as_of));
    }),
  );
  return records.flat().filter((level) => code === undefined || level.distribution_center === code);
}

export const handler = lambda(endpoint);
