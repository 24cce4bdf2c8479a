import * as z from "zod/mini";
import { manufactureOrders } from "../../../shared/data/manufacture.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { defineRead, identifier } from "../../../shared/http/reading.ts";
import { manufactureRecord } from "../../../shared/http/records/manufacture.ts";
import { getRecord } from "../../../shared/operations/get-record.ts";

export const endpoint = defineRead(
  {
    path: "/apirest/v4/oms/manufacture/{order}",
    summary: "Read one manufacture order",
    request: z.object({ params: z.object({ order: identifier }) }),
    record: manufactureRecord,
    access: { inventory: "read" },
  },
  ({ params }, context) => getRecord(context, manufactureOrders, params.order),
);

export const handler = lambda(endpoint);
