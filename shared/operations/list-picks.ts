import { binsOf } from "../data/bins.ts";
import { productLookup } from "../data/products.ts";
import { parsed } from "../data/registries.ts";
import { product } from "../domain/catalog/product.ts";
import type { Order } from "../domain/orders/order.ts";
import { unpicked } from "../domain/orders/order-transitions.ts";
import { type PickLine, pickLinesOf } from "../domain/picking/pick-list.ts";
import { stopsOf } from "../domain/picking/pick-sequence.ts";
import { getItems } from "../store/reads.ts";
import type { Context } from "./context.ts";

/**
 * The goods that are still to be taken for these orders, and where they lie now. The orders are served one after
 * another: each finds what the orders before it leave.
 */
export async function listPicks(
  { db }: Pick<Context, "db">,
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
