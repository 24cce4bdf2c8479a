import * as z from "zod/mini";
import { binsOf } from "../../../shared/data/bins.ts";
import { productLookup } from "../../../shared/data/products.ts";
import { parsed } from "../../../shared/data/registries.ts";
import { product } from "../../../shared/domain/catalog/product.ts";
import { orElse } from "../../../shared/domain/fields.ts";
import type { Order } from "../../../shared/domain/orders/order.ts";
import { unpicked } from "../../../shared/domain/orders/order-transitions.ts";
import { type PickLine, pickLinesOf } from "../../../shared/domain/picking/pick-list.ts";
import { stopsOf } from "../../../shared/domain/picking/pick-sequence.ts";
import { mobileLambda } from "../../../shared/http/mobile-lambda.ts";
import { dataOf } from "../../../shared/http/pagination.ts";
import { pickList, presentPickList } from "../../../shared/http/records/shipment.ts";
import { defineWithBody } from "../../../shared/http/with-body.ts";
import { ordersToPick } from "../../../shared/operations/claim-orders.ts";
import type { Context } from "../../../shared/operations/context.ts";
import { getItems } from "../../../shared/store/reads.ts";

/** Most orders that a picker is given at once. */
const limit = orElse(z.int().check(z.gte(1), z.lte(50)), 10);

export const endpoint = defineWithBody(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/pp-getOrders-1",
    auth: "mobile",
    summary: "Get orders to pick: the picker's open ones, then the oldest that wait",
    request: z.object({ body: z.prefault(z.object({ limit }), {}) }),
    response: dataOf(z.array(pickList)),
    access: { orders: "write", "orders/work": "read", inventory: "read" },
  },
  async ({ body }, { user: { user_name: picker }, ...context }) => {
    const orders = await ordersToPick({ ...context, picker }, body.limit);
    const picks = await listPicks(context, orders);
    return { data: orders.map((order, position) => presentPickList(order, picks[position] ?? [])) };
  },
);

/**
 * The goods that are still to be taken for these orders, and where they lie now. The orders are served one after
 * another: each finds what the orders before it leave.
 */
async function listPicks(
  { db }: Context,
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

export const handler = mobileLambda(endpoint);
