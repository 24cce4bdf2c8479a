/** The orders of an account as the service stores them, for the blocks in which pages are read. */

import { newOrder } from "../../../../shared/orders/order.ts";
import { insertOrder, newOrderApi, orderList } from "../../../../shared/orders/storage/order-repository.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { recordKey } from "../../../../shared/store/lists/block-list.ts";
import { customer } from "../../../support/records/records.ts";
import { putAll } from "../../../support/tables/put-all.ts";
import { type Account, type Facets, orderIdOf, shapeOf, timeOf } from "./account.ts";
import type { BlockPosition } from "./requests.ts";

const termsOf = (orderId: number, { store, type }: Facets) => ({
  order_number: `BENCH-${orderId}`,
  order_reference: null,
  shipping_method: "GROUND",
  order_type_id: type,
  store: { id: store, name: `Shop ${store}` },
  warehouse_id: 1,
  customer: { ...customer, lastname: "Bench", email: "bench@example.com", phone: null },
  items: Array.from({ length: 3 }, (_, line) => ({
    sku: `SKU-${orderId % 997}-${line}`,
    ordered_as: `SKU-${orderId % 997}-${line}`,
    product_id: 1000 + line,
    distribution_center_id: 1,
    quantity: 1 + line,
    sold_price: 9.99,
    returned: 0,
  })),
  kits: [],
});

/** The item of an order, without what finds it by its number. */
function itemsOf(account: Account, { block, position }: BlockPosition) {
  const facets = shapeOf(account, block)[position];
  if (facets === undefined) throw new Error(`block ${block} has no order ${position}`);
  const order_id = orderIdOf(account, block, position);
  const at = timeOf(account, block, position);
  const identity = {
    account_id: account.accountId,
    order_id,
    order_api: newOrderApi(order_id),
    by: "bench",
    at,
  };
  const order = { ...newOrder(termsOf(order_id, facets), identity), status: facets.status };
  const { pk } = recordKey(orderList, order_id);
  return insertOrder(order, "bench").flatMap((write) =>
    write.kind === "insert" && write.item.pk === pk ? [write.item] : [],
  );
}

/** Stores those of the orders that are not stored yet. */
export function recordsIn(
  db: Database,
  account: Account,
): (places: readonly BlockPosition[]) => Promise<void> {
  const stored = new Set<number>();
  return async (places) => {
    const fresh = places.filter(({ block, position }) => {
      const id = orderIdOf(account, block, position);
      return !stored.has(id) && stored.add(id);
    });
    await putAll(
      db,
      orderList.table,
      fresh.flatMap((place) => itemsOf(account, place)),
    );
  };
}
