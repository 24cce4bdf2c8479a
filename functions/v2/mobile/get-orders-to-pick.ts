import * as z from "zod/mini";
import { product } from "../../../shared/catalog/products/product.ts";
import { productLookup } from "../../../shared/catalog/products/product-repository.ts";
import { withDefault } from "../../../shared/common/fields.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { mobileLambda } from "../../../shared/http/mobile-lambda.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import type { Context } from "../../../shared/lambda/context.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { unpicked } from "../../../shared/orders/order-work.ts";
import { ordersToPick } from "../../../shared/picking/claim-orders.ts";
import { type PickLine, pickLinesOf } from "../../../shared/picking/pick-list.ts";
import { pickList, presentPickList } from "../../../shared/picking/shipment-view.ts";
import { binsOf } from "../../../shared/stock/bins/bin-repository.ts";
import { stopsOf } from "../../../shared/stock/bins/pick-sequence.ts";
import { getItems, parsed } from "../../../shared/store/dynamodb/reads.ts";

/** Maximum orders that a picker gets in one call. */
const limit = withDefault(z.int().check(z.gte(1), z.lte(50)), 10);

export const endpoint = defineEndpoint(
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
 * The goods still to be picked for these orders, and their bins. Orders are planned in sequence: each gets
 * what the earlier ones leave.
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
