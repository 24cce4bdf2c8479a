import type { AccountContext } from "../lambda/context.ts";
import type { Outcome } from "../store/bulk/bulk.ts";
import { changeOrders } from "./change-orders.ts";
import type { Order } from "./order.ts";
import { cancel } from "./order-transitions.ts";

/**
 * Cancels the account's orders and releases their stock. Orders that are Cancelled already stay as they are. An id that is
 * there twice counts once. `pathOf` says where the call names an order.
 * @throws as `changeOrders`
 */
export const cancelOrders = (
  context: AccountContext,
  orderIds: readonly number[],
  pathOf: (orderId: number) => string,
): Promise<readonly Outcome<Order>[]> =>
  changeOrders(
    context,
    [...new Set(orderIds)].map((order_id) => ({ order_id, path: pathOf(order_id), decide: cancel })),
  );
