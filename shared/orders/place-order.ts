import type { Draft } from "../http/bulk/create-each.ts";
import type { AccountContext } from "../lambda/context.ts";
import { reads } from "../registries/registry-repository.ts";
import type { Plan } from "../store/bulk/bulk.ts";
import { type OrderTerms, placed } from "./order.ts";
import type { ReservationTerms } from "./order-holds.ts";
import type { OrderRecord } from "./order-view.ts";
import { reserveStock } from "./reserve-stock.ts";
import { insertOrder, newOrderApi } from "./storage/order-repository.ts";

/** What a function states that reads what orders refer to (`readOrderReferences`). */
export const orderReferenceAccess = reads("shippingMethods", "stores", "storeNames");

/** An order to place, and what its client says of its reservation. */
interface Placing {
  readonly order: OrderTerms;
  readonly sent: ReservationTerms | undefined;
}

/** The writes of new orders: each order with its lookups, and the reservation of its stock. */
export const planNewOrders = (
  { db, account_id, actor: by }: Pick<AccountContext, "db" | "account_id" | "actor">,
  drafts: readonly Draft<Placing>[],
): Promise<readonly Plan<OrderRecord>[]> =>
  reserveStock(
    db,
    account_id,
    drafts.map(({ input: { order, sent }, id: order_id, at, path }) => {
      const after = placed(order, { account_id, order_id, order_api: newOrderApi(order_id), by, at });
      const writes = insertOrder(after, `${path}.order_number`);
      return {
        after,
        terms: sent,
        writes,
        cause: { reason: "order_created", reference: { order_id }, by, at },
        path,
      };
    }),
  );
