import * as z from "zod/mini";
import { findSku } from "../../../../shared/catalog/name-repository.ts";
import { notFound } from "../../../../shared/common/problem.ts";
import { defineList, nameInPath } from "../../../../shared/http/lists/define-read.ts";
import { orderDirection, pageQuery } from "../../../../shared/http/lists/pagination.ts";
import { movementRecord, presentMovement } from "../../../../shared/stock/movements/movement-view.ts";
import { readMovements } from "../../../../shared/stock/movements/read-movements.ts";
import { levelsIn, stockItemsOf } from "../../../../shared/stock/stock-levels.ts";
import { untilFresh } from "../../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../../shared/store/dynamodb/writes.ts";
import { mapPage } from "../../../../shared/store/lists/pages.ts";

export const { endpoint, handler } = defineList(
  {
    path: "/apirest/v4/oms/inventory/stock/{sku}/movements",
    summary: "List the changes of a product's stock",
    request: z.object({
      params: z.object({ sku: nameInPath }),
      query: z.object({ ...pageQuery(), order_direction: orderDirection }),
    }),
    record: movementRecord,
    access: { inventory: "read" },
  },
  async ({ params: { sku }, query: { order_direction: direction, ...page } }, { db, account_id }) => {
    const product = await findSku(db, account_id, sku);
    if (product === undefined) throw notFound(`There is no product with the SKU ${sku}`);
    // A center that began to keep the product after its stock was read may have movements already.
    return untilFresh(db, async () => {
      const stock = await stockItemsOf(db, product.product_id);
      const moved = await readMovements(db, product.product_id, stock, { ...page, direction });
      const codes = new Map(
        levelsIn(stock).map(
          ({ distribution_center_id: id, distribution_center: code }) => [id, code] as const,
        ),
      );
      return mapPage(moved, (movement) => {
        const distribution_center = codes.get(movement.distribution_center_id);
        if (distribution_center === undefined) throw stale();
        return presentMovement({ ...movement, distribution_center });
      });
    });
  },
);
