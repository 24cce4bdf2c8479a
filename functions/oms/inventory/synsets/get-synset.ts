import * as z from "zod/mini";
import { readKitStock } from "../../../../shared/data/kit-stock.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { synsetRecord } from "../../../../shared/http/records/synset.ts";
import { getSynset } from "../../../../shared/operations/get-synset.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/synsets/{synset}",
    auth: "oms",
    summary: "Read one synset by name or id",
    request: z.object({ params: z.object({ synset: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(synsetRecord),
    access: { inventory: "read" },
  },
  async ({ params }, { db, account: { account_id } }) => {
    const synset = await getSynset(db, account_id, params.synset);
    const stockOf = await readKitStock(db, account_id, [synset]);
    return { data: { ...synset, ...stockOf(synset) } };
  },
);

export const handler = lambda(endpoint);
