/** What is stored in the end, read by the service's own flows. */
import * as z from "zod";
import { endpoint as listProducts } from "../../../functions/oms/inventory/products/list-products.ts";
import { endpoint as listStock } from "../../../functions/oms/inventory/stock/list-stock.ts";
import { endpoint as listOrders } from "../../../functions/oms/orders/list-orders.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { noIdempotencyKey } from "../../../shared/store/idempotency.ts";
import { operationOf, type Shown } from "../workload/calls.ts";

export const accountContext = (db: Database) => ({
  db,
  account_id: 100,
  actor: "account:100",
  now: new Date().toISOString(),
  idempotency: noIdempotencyKey,
});

export const order = z.object({
  order_id: z.int(),
  order_number: z.string(),
  order_reference: z.nullable(z.string()),
  status: z.string(),
  sub_status: z.nullable(z.string()),
  version: z.int(),
});
export type Order = z.output<typeof order>;

export const stockLevel = z.object({
  product_id: z.int(),
  distribution_center: z.string(),
  on_hand: z.int(),
  reserved: z.int(),
  incoming: z.int(),
});
export type StockLevel = z.output<typeof stockLevel>;

const many = z.object({ data: z.array(order) });

export interface StoredRecords {
  readonly orders: readonly Order[];
  readonly stock: readonly StockLevel[];
  /** Records with versions, as answers show them. */
  readonly shown: readonly Shown[];
}

export async function storedRecords(db: Database): Promise<StoredRecords> {
  const query = { page: 1, per_page: 1000 };
  const [found, stock, products] = await Promise.all([
    listOrders.flow({ query: { ...query, order_by: "OrderID", order_direction: "asc" } }, accountContext(db)),
    listStock.flow({ query }, accountContext(db)),
    listProducts.flow(
      { query: { ...query, order_by: "ProductID", order_direction: "asc" } },
      accountContext(db),
    ),
  ]);
  const texts = [JSON.stringify(found), JSON.stringify(products)];
  return {
    orders: many.parse(found).data,
    stock: stock.data.flatMap((level) => stockLevel.safeParse(level).data ?? []),
    shown: [
      ...(operationOf("updateOrders").shows?.(texts[0] ?? "") ?? []),
      ...(operationOf("patchProducts").shows?.(texts[1] ?? "") ?? []),
    ],
  };
}
