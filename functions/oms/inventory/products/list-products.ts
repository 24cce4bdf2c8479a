import * as z from "zod/mini";
import { findProductIds, products } from "../../../../shared/catalog/products/product-repository.ts";
import { productRecord } from "../../../../shared/catalog/products/product-view.ts";
import { readChangedList } from "../../../../shared/events/changes-since.ts";
import { defineChangeList } from "../../../../shared/http/lists/define-read.ts";
import { oneOf, orderDirection, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { severalIds, severalTexts } from "../../../../shared/http/lists/searches.ts";
import { updatedSince } from "../../../../shared/http/lists/times.ts";
import { idSearch, textSearch } from "../../../../shared/store/lists/found.ts";
import { listAccess } from "../../../../shared/store/lists/read-list.ts";
import { lookupReadAccess } from "../../../../shared/store/lookup-index.ts";

const query = z.object({
  ...pageQuery(),
  updated_since: updatedSince,
  sku: z.optional(severalTexts()),
  product_id: z.optional(severalIds),
  order_by: z._default(oneOf(["ProductID"]), "ProductID"),
  order_direction: orderDirection,
});

export const { endpoint, handler } = defineChangeList(
  {
    path: "/apirest/v4/oms/inventory/products",
    summary: "List products",
    request: z.object({ query }),
    record: productRecord,
    access: { ...listAccess("inventory"), ...lookupReadAccess },
  },
  ({ query: { updated_since, sku, product_id, order_direction: direction, ...page } }, context) =>
    readChangedList(context, products, updated_since, { ...page, direction }, [
      textSearch("sku", sku, findProductIds),
      idSearch("product_id", product_id, products),
    ]),
);
