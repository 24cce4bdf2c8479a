import type { Draft } from "../http/bulk/create-each.ts";
import type { AccountContext } from "../lambda/context.ts";
import { reads } from "../registries/registry-repository.ts";
import { type Cause, reservations } from "../stock/stock.ts";
import { changeStock } from "../stock/stock-repository.ts";
import type { Plan } from "../store/bulk/bulk.ts";
import { type OrderTerms, placed } from "./order.ts";
import { type OrderRecord, presentOrder } from "./order-view.ts";
import { insertOrder, newOrderApi } from "./storage/order-repository.ts";

/** What a function states that reads what orders refer to (`readOrderReferences`). */
export const orderReferenceAccess = reads("shippingMethods", "stores", "storeNames");

/** The writes of a new order: the order with its lookups, and the reservation of its stock. */
export function planNewOrder(
  { account_id, actor: by }: Pick<AccountContext, "account_id" | "actor">,
  { input: terms, id: order_id, at, path }: Draft<OrderTerms>,
): Plan<OrderRecord> {
  const order = placed(terms, { account_id, order_id, order_api: newOrderApi(order_id), by, at });
  const cause: Cause = { reason: "order_created", reference: { order_id }, by, at };
  return {
    result: presentOrder(order),
    writes: [...insertOrder(order, `${path}.order_number`), ...changeStock(reservations(order.items), cause)],
  };
}
