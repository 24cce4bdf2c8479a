import { product } from "../catalog/products/product.ts";
import { productLookup } from "../catalog/products/product-repository.ts";
import type { Order } from "../orders/order.ts";
import { unpicked } from "../orders/order-status.ts";
import { binsOf } from "../stock/bins/bin-repository.ts";
import { stopsOf } from "../stock/bins/pick-sequence.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { getItems, parsed } from "../store/dynamodb/reads.ts";
import { type PickLine, pickLinesOf } from "./pick-list.ts";

/**
 * The goods still to be picked for these orders, and their bins. Orders are planned in sequence: each gets
 * what the earlier ones leave.
 */
export async function listPicks(
  db: Database,
  orders: readonly Order[],
): Promise<readonly (readonly PickLine[])[]> {
  const ids = [...new Set(orders.flatMap(productsToPick))];
  const [find, bins] = await Promise.all([
    getItems(db, ids.map(productLookup)),
    Promise.all(ids.map(async (id) => [id, await binsOf(db, id)] as const)),
  ]);
  const binsByProduct = new Map(bins);
  return pickLinesOf(orders, ({ product_id, distribution_center_id: center }) => {
    const style = parsed(product, find(productLookup(product_id)))?.pick_style ?? null;
    const here =
      binsByProduct.get(product_id)?.filter(({ distribution_center_id: of }) => of === center) ?? [];
    return stopsOf(here, style);
  });
}

const productsToPick = (order: Order): readonly number[] =>
  [...unpicked(order)].filter(([, left]) => left > 0).map(([productId]) => productId);
