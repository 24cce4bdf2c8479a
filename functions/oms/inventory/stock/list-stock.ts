import * as z from "zod/mini";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineList } from "../../../../shared/http/lists/define-read.ts";
import { pageOfAll, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { severalNames } from "../../../../shared/http/lists/searches.ts";
import { findDistributionCenter, reads } from "../../../../shared/registries/registry-repository.ts";
import { findStock, type NamedStock, readStock } from "../../../../shared/stock/find-stock.ts";
import { stockFacets } from "../../../../shared/stock/stock-repository.ts";
import {
  presentKit,
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
});

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
      ...reads("distributionCenters"),
    },
  },
  async ({ query: { sku, distribution_center: code, ...page } }, context) => {
    const { db, account_id } = context;
    if (sku !== undefined) {
      const all = (await findStock(context, sku)).flatMap(presented);
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

const presented = (found: NamedStock): readonly StockRecord[] =>
  "kit" in found ? [presentKit(found.kit)] : found.levels.map(presentStock);

export const handler = lambda(endpoint);
