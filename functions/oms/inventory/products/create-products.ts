import * as z from "zod/mini";
import { allocate } from "../../../../shared/data/allocate.ts";
import { storeEach } from "../../../../shared/data/bulk.ts";
import { productList } from "../../../../shared/data/lists.ts";
import { readProductReferences } from "../../../../shared/data/product-references.ts";
import { insertProduct } from "../../../../shared/data/products.ts";
import { records } from "../../../../shared/domain/fields.ts";
import { created, productInput } from "../../../../shared/domain/product.ts";
import { resolveNewProducts } from "../../../../shared/domain/product-references.ts";
import { bulkAnswer } from "../../../../shared/http/bulk-answer.ts";
import { defineEndpoint } from "../../../../shared/http/endpoint.ts";
import { lambda } from "../../../../shared/http/lambda.ts";
import { dataOf } from "../../../../shared/http/pagination.ts";
import { productRecord } from "../../../../shared/http/records/product.ts";

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
  async ({ body: { data } }, { db, account: { account_id } }) => {
    const resolved = resolveNewProducts(data, await readProductReferences(db, account_id, data));
    const { firstId, at } = await allocate(db, productList, String(account_id), resolved.length);
    const plans = resolved.map(({ input, center }, position) => {
      const product = created(input, { account_id, product_id: firstId + position, at });
      return { result: product, writes: insertProduct(product, center, `data.${position}.sku`) };
    });
    return bulkAnswer(
      await storeEach(db, plans, async (planned) => planned),
      productRecord,
      (product) => product,
    );
  },
);

export const handler = lambda(endpoint);
