import * as z from "zod/mini";
import { readProductReferences } from "../../../../shared/data/product-references.ts";
import { insertProduct } from "../../../../shared/data/products.ts";
import { reads } from "../../../../shared/data/registries.ts";
import { created, productInput } from "../../../../shared/domain/catalog/product.ts";
import { resolveNewProducts } from "../../../../shared/domain/catalog/product-references.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";
import { defineWithBody } from "../../../../shared/http/with-body.ts";
import { createEach } from "../../../../shared/operations/create-each.ts";
import { productList } from "../../../../shared/store/lists/definitions.ts";

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apirest/v4/oms/inventory/products",
    auth: "oms",
    summary: "Create products",
    request: z.object({ body: records(productInput) }),
    response: dataOf(z.array(productRecord)),
    access: { inventory: "write", ...reads("suppliers", "packageTypes", "distributionCenters") },
  },
  async ({ body: { data } }, context) => {
    const { db, account_id } = context;
    const outcomes = await createEach(context, {
      list: productList,
      inputs: resolveNewProducts(data, await readProductReferences(db, account_id, data)),
      plan: (drafts) =>
        drafts.map(({ input: { input, center }, id, at, path }) => {
          const product = created(input, { account_id, product_id: id, at });
          return { result: product, writes: insertProduct(product, center, `${path}.sku`) };
        }),
    });
    return bulkAnswer(outcomes, productRecord);
  },
);

export const handler = lambda(endpoint);
