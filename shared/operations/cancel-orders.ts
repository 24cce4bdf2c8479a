import type { Order } from "../domain/orders/order.ts";
import { cancel } from "../domain/orders/order-transitions.ts";
import type { Outcome } from "../store/bulk.ts";
import { changeOrders } from "./change-orders.ts";
import type { AccountContext } from "./context.ts";

/**
 * Cancels the account's orders and releases their stock. Orders that are Cancelled already stay as they are.
 * `pathOf` says where the call names the order at a position.
 * @throws as `changeOrders`
 */
export const cancelOrders = (
  context: AccountContext,
  orderIds: readonly number[],
  pathOf: (position: number) => string,
): Promise<readonly Outcome<Order>[]> =>
  changeOrders(
    context,
    orderIds.map((order_id, position) => ({ order_id, path: pathOf(position), decide: cancel })),
  );
