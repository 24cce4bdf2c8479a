import * as z from "zod/mini";
import { findSku } from "../../../shared/catalog/name-repository.ts";
import { name } from "../../../shared/common/fields.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { listBody, listOf, pageOfAll, pageQuery, queryBody } from "../../../shared/http/lists/pagination.ts";
import { binContents, binsOf } from "../../../shared/stock/bins/bin-repository.ts";
import { inventoryEntry, presentInventory } from "../../../shared/stock/bins/bin-view.ts";
import { mapPage } from "../../../shared/store/lists/pages.ts";
import { listAccess, readList } from "../../../shared/store/lists/read-list.ts";

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apiv2/pro-v1/inventory-list-1",
    alsoAt: ["/pro-v1/inventory-list-1"],
    auth: "v2",
    summary: "List what the bins hold",
    request: z.object({ body: queryBody(z.object({ ...pageQuery(), sku: z.optional(name) })) }),
    response: listOf(inventoryEntry),
    access: { ...listAccess("inventory") },
  },
  async ({ body }, { db, account_id }) => {
    const { page, per_page, sku } = body;
    if (sku !== undefined) {
      const product = await findSku(db, account_id, sku);
      const bins = product === undefined ? [] : await binsOf(db, product.product_id);
      return listBody(pageOfAll(bins.map(presentInventory), body), body);
    }
    const contents = await readList(binContents, db, account_id, { page, per_page, direction: "asc" });
    return listBody(mapPage(contents, presentInventory), body);
  },
);
