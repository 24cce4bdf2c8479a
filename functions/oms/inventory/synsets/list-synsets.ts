import * as z from "zod/mini";
import { readKitStock } from "../../../../shared/data/kit-stock.ts";
import { synsets } from "../../../../shared/data/synsets.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listOf, pageQuery } from "../../../../shared/http/pagination.ts";
import { synsetRecord } from "../../../../shared/http/records/synset.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/synsets",
    auth: "oms",
    summary: "List synsets, newest first",
    request: z.object({ query: z.object(pageQuery()) }),
    response: listOf(synsetRecord),
    access: { inventory: "read" },
  },
  async ({ query }, { db, account: { account_id } }) => {
    const { page, per_page: perPage } = query;
    const { records, total } = await synsets.read(db, account_id, { page, perPage });
    const stockOf = await readKitStock(db, account_id, records);
    const stocked = records.map((synset) => ({ ...synset, ...stockOf(synset) }));
    return listBody(stocked, total, query);
  },
);

export const handler = lambda(endpoint);
