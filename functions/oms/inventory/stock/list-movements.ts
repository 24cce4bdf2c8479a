import * as z from "zod/mini";
import { findSkus } from "../../../../shared/data/products.ts";
import { notFound } from "../../../../shared/domain/problem.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { listBody, listOf, orderDirection, pageQuery } from "../../../../shared/http/pagination.ts";
import { movementRecord, presentMovement } from "../../../../shared/http/records/movement.ts";
import { listMovements } from "../../../../shared/operations/list-movements.ts";

export const endpoint = defineEndpoint(
  {
    method: "GET",
    path: "/apirest/v4/oms/inventory/stock/{sku}/movements",
    auth: "oms",
    summary: "List the changes of a product's stock",
    request: z.object({
      params: z.object({ sku: z.string().check(z.maxLength(255)) }),
      query: z.object({ ...pageQuery(), order_direction: orderDirection }),
    }),
    response: listOf(movementRecord),
    access: { inventory: "read" },
  },
  async ({ params: { sku }, query }, { db, account }) => {
    const { page, per_page: perPage, order_direction: direction } = query;
    const product = (await findSkus(db, account.account_id, [sku])).get(sku);
    if (product === undefined) throw notFound(`There is no product with the SKU ${sku}`);
    const request = { page, perPage, direction };
    const { records, total } = await listMovements(db, product.product_id, request);
    return listBody(records.map(presentMovement), total, query);
  },
);

export const handler = lambda(endpoint);
