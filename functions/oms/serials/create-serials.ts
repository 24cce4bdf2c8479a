import * as z from "zod/mini";
import { insertSerials, serialsWitness } from "../../../shared/data/serials.ts";
import { serialsCall } from "../../../shared/domain/serials/serial.ts";
import { storeForeseen } from "../../../shared/http/bulk-create.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { serialsRecord } from "../../../shared/http/records/serial.ts";
import { draftSerials } from "../../../shared/operations/create-serials.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/serials/bulk",
    auth: "oms",
    summary: "Create serial numbers of products",
    request: z.object({ body: serialsCall }),
    response: dataOf(z.array(serialsRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { account: { account_id }, now, ...tools }) =>
    storeForeseen(tools, {
      drafts: await draftSerials(tools.db, { account_id, now }, data),
      witness: serialsWitness,
      plan: async (drafts) => drafts.map((draft) => ({ result: draft, writes: insertSerials(draft) })),
      record: serialsRecord,
      present: ({ sku, product_id, serials, created_at }) => ({
        sku,
        product_id,
        serials: [...serials],
        created_at,
      }),
    }),
);

export const handler = lambda(endpoint);
