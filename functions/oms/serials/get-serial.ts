import * as z from "zod/mini";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { serialRecord } from "../../../shared/http/records/serial.ts";
import { getSerial } from "../../../shared/operations/get-serial.ts";

const part = z.string().check(z.maxLength(255));

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/serials/{sku}/{serial}",
    auth: "oms",
    summary: "Read one serial number and its attributes",
    request: z.object({ params: z.object({ sku: part, serial: part }) }),
    response: dataOf(serialRecord),
    access: { inventory: "read" },
  },
  async ({ params: { sku, serial } }, { db, account }) => ({
    data: await getSerial(db, account.account_id, sku, serial),
  }),
);

export const handler = lambda(endpoint);
