import * as z from "zod/mini";
import { returns } from "../../../../shared/data/inbound.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { defineRead, identifier } from "../../../../shared/http/reading.ts";
import { presentReturn, returnRecord } from "../../../../shared/http/records/inbound.ts";
import { getRecord } from "../../../../shared/operations/get-record.ts";

export const endpoint = defineRead(
  {
    path: "/apirest/v4/oms/inventory/returns/{return}",
    summary: "Read one return",
    request: z.object({ params: z.object({ return: identifier }) }),
    record: returnRecord,
    access: { inventory: "read" },
  },
  async ({ params }, context) => presentReturn(await getRecord(context, returns, params.return)),
);

export const handler = lambda(endpoint);
