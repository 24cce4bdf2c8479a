import * as z from "zod/mini";
import { findDistributionCenter } from "../../../../shared/data/registries.ts";
import { stock, stockFacets } from "../../../../shared/data/stock.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listBodyOfAll, listOf, pageQuery } from "../../../../shared/http/pagination.ts";
import { presentKit, presentStock, stockRecord } from "../../../../shared/http/records/stock.ts";
import { findStock } from "../../../../shared/operations/find-stock.ts";
import { noFacet } from "../../../../shared/store/lists/facets.ts";

const query = z.object({
  ...pageQuery(1000, 1000),
  sku: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  distribution_center: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/stock",
    auth: "oms",
    summary: "List stock levels",
    request: z.object({ query }),
    response: listOf(stockRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account: { account_id } }) => {
    const { page, per_page: perPage, sku, distribution_center: center } = query;
    if (sku !== undefined) {
      const found = await findStock(db, account_id, sku);
      const all = "kit" in found ? [presentKit(found.kit)] : found.levels.map(presentStock);
      return listBodyOfAll(
        all.filter((level) => center === undefined || level.distribution_center === center),
        query,
      );
    }
    const registered = center === undefined ? undefined : await findDistributionCenter(db, center);
    const wanted = center === undefined ? undefined : (registered?.distribution_center_id ?? noFacet);
    const { records, total } = await stock.read(db, account_id, {
      page,
      perPage,
      direction: "asc",
      ...stockFacets.matching({ center: wanted }),
    });
    return listBody(records.map(presentStock), total, query);
  },
);

export const handler = lambda(endpoint);
