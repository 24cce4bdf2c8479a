import * as z from "zod/mini";
import { findManufactureOrder } from "../../../shared/data/manufacture.ts";
import { idIn } from "../../../shared/domain/fields.ts";
import { notFound } from "../../../shared/domain/problem.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { manufactureRecord } from "../../../shared/http/records/manufacture.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/manufacture/{order}",
    auth: "oms",
    summary: "Read one manufacture order",
    request: z.object({ params: z.object({ order: z.string().check(z.maxLength(255)) }) }),
    response: dataOf(manufactureRecord),
    access: { inventory: "read" },
  },
  async ({ params: { order } }, { db, account }) => {
    const id = idIn(order);
    const found = id === undefined ? undefined : await findManufactureOrder(db, account.account_id, id);
    if (found === undefined) throw notFound(`There is no manufacture order with manufacture_id ${order}`);
    return { data: found };
  },
);

export const handler = lambda(endpoint);
