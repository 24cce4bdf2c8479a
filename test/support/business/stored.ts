/** What the tables hold of an account's goods and orders, for tests to assess. */

import { findSkus } from "../../../shared/catalog/name-repository.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { orders } from "../../../shared/orders/storage/order-repository.ts";
import { type BinContent, binsOf } from "../../../shared/stock/bins/bin-repository.ts";
import type { Layer } from "../../../shared/stock/bins/goods.ts";
import { anyOwner } from "../../../shared/store/lists/repository.ts";
import type { Owner } from "../records/flows.ts";

/** Orders as they are stored, in this order. */
export async function storedOrders(
  { db }: Pick<Owner, "db">,
  orderIds: readonly number[],
): Promise<readonly Order[]> {
  const found = await orders.findAll(db, anyOwner, orderIds);
  return orderIds.map((orderId) => {
    const order = found.get(orderId);
    if (order === undefined) throw new Error(`there is no order ${orderId}`);
    return order.record;
  });
}

/** An order as it is stored. */
export async function storedOrder(owner: Pick<Owner, "db">, orderId: number): Promise<Order> {
  const [order] = await storedOrders(owner, [orderId]);
  if (order === undefined) throw new Error(`there is no order ${orderId}`);
  return order;
}

/** Goods of known arrival in a bin; nothing more is known of them without. */
export const layerOf = (received_on: string, quantity: number, more: Partial<Layer> = {}): Layer => ({
  received_on,
  lot: null,
  expires_on: null,
  quantity,
  ...more,
});

/** What the product's bins hold, by their names: `A1/01`. Emptied bins are among them. */
export async function holdings(
  { db, accountId }: Owner,
  { sku }: { readonly sku: string },
): Promise<Readonly<Record<string, Pick<BinContent, "quantity" | "layers">>>> {
  const product = (await findSkus(db, accountId, [sku])).get(sku);
  if (product === undefined) throw new Error(`there is no product ${sku}`);
  const bins = await binsOf(db, product.product_id);
  return Object.fromEntries(
    bins.map(({ location, bin, quantity, layers }) => [`${location}/${bin}`, { quantity, layers }]),
  );
}

/** How much lies in the product's bins: `A1/01: 3`. Emptied bins are among them. */
export async function binsHold(owner: Owner, sku: string): Promise<readonly string[]> {
  const held = await holdings(owner, { sku });
  return Object.entries(held).map(([name, { quantity }]) => `${name}: ${quantity}`);
}
