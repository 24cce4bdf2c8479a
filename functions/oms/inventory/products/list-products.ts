import * as z from "zod/mini";
import { products } from "../../../../shared/data/products.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { oneOf, orderDirection, pageQuery } from "../../../../shared/http/pagination.ts";
import { defineList } from "../../../../shared/http/reading.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";

const query = z.object({
  ...pageQuery(),
  order_by: z._default(oneOf(["ProductID"]), "ProductID"),
  order_direction: orderDirection,
});

export const endpoint = defineList(
  {
    path: "/apirest/v4/oms/inventory/products",
    summary: "List products",
    request: z.object({ query }),
    record: productRecord,
    access: { inventory: "read", tallies: "read" },
  },
  ({ query: { order_direction: direction, ...page } }, { db, account_id }) =>
    products.read(db, account_id, { ...page, direction }),
);

export const handler = lambda(endpoint);
