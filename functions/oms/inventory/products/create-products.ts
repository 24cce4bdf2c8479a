import * as z from "zod/mini";
import { readProductReferences } from "../../../../shared/data/product-references.ts";
import { insertProduct } from "../../../../shared/data/products.ts";
import { created, productInput } from "../../../../shared/domain/catalog/product.ts";
import { resolveNewProducts } from "../../../../shared/domain/catalog/product-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { createEach } from "../../../../shared/http/bulk-create.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";
import { productList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/products",
    auth: "oms",
    summary: "Create products",
    request: z.object({ body: records(productInput) }),
    response: dataOf(z.array(productRecord)),
    access: { inventory: "write" },
  },
  async ({ body: { data } }, { account: { account_id }, ...tools }) =>
    createEach(tools, {
      list: productList,
      owner: account_id,
      inputs: resolveNewProducts(data, await readProductReferences(tools.db, account_id, data)),
      plan: async (drafts) =>
        drafts.map(({ input: { input, center }, id, at, path }) => {
          const product = created(input, { account_id, product_id: id, at });
          return { result: product, writes: insertProduct(product, center, `${path}.sku`) };
        }),
      record: productRecord,
      present: (product) => product,
    }),
);

export const handler = lambda(endpoint);
