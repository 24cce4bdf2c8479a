import type { OrderInput } from "../domain/order.ts";
import type { OrderReferences } from "../domain/order-terms.ts";
import type { Database } from "./database.ts";
import { orderNumberLookup } from "./orders.ts";
import { skuEntry, skuLookup } from "./products.ts";
import { getItems, type Lookup } from "./reads.ts";
import { parsed, shippingMethodLookup, store, storeLookup, storeNameLookup } from "./registries.ts";

/** Everything that the orders of one call refer to, and the order numbers that are taken: one round trip. */
export async function readOrderReferences(
  db: Database,
  accountId: number,
  orders: readonly OrderInput[],
): Promise<OrderReferences & { readonly isTaken: (orderNumber: string) => boolean }> {
  const find = await getItems(
    db,
    orders.flatMap((order) => referencesOf(accountId, order)),
  );
  const storeAt = (lookup: Lookup) => {
    const found = parsed(store, find(lookup));
    return found === undefined ? undefined : { id: found.store_id, name: found.name };
  };
  return {
    hasShippingMethod: (code) => find(shippingMethodLookup(accountId, code)) !== undefined,
    storeNamed: (name) => (name === "" ? undefined : storeAt(storeNameLookup(accountId, name))),
    storeWithId: (id) => storeAt(storeLookup(accountId, id)),
    product: (sku) => parsed(skuEntry, find(skuLookup(accountId, sku))),
    isTaken: (number) => find(orderNumberLookup(accountId, number)) !== undefined,
  };
}

function referencesOf(accountId: number, { cart, ...order }: OrderInput): readonly Lookup[] {
  return [
    orderNumberLookup(accountId, order.order_number),
    shippingMethodLookup(accountId, order.shipping_method),
    ...(cart?.store_name ? [storeNameLookup(accountId, cart.store_name)] : []),
    ...(cart?.id === undefined ? [] : [storeLookup(accountId, cart.id)]),
    ...order.items.map(({ sku }) => skuLookup(accountId, sku)),
  ];
}
