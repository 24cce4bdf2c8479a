/** Imports a merchant's open orders through the API's create call. */
import * as z from "zod/mini";
import { endpoint } from "../../../functions/oms/orders/create-orders.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import { orderNumbers } from "../../../shared/orders/storage/order-repository.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { type ReadRecord, storedByCall } from "./by-call.ts";
import type { Importing } from "./importing.ts";
import { ordersIn } from "./order-rows.ts";

/** Imports orders. An order whose number exists is unchanged. */
export const importOrders = (context: () => AccountContext): Importing<ReadRecord> => ({
  title: "orders",
  read: ordersIn,
  store: async (records) => {
    const { db, account_id } = context();
    const numbered = records.map((one) => ({ one, lookups: lookupsOf(account_id, one) }));
    const find = await getItems(
      db,
      numbered.flatMap(({ lookups }) => lookups),
    );
    const fresh = numbered
      .filter(({ lookups }) => lookups.every((lookup) => find(lookup) === undefined))
      .map(({ one }) => one);
    const stored = await storedByCall(fresh, (body) =>
      endpoint.flow(parseRequest(endpoint.request, { body }), context()),
    );
    return { ...stored, unchanged: records.length - fresh.length };
  },
});

/** The lookup of a record's order number; undefined if the number is invalid, which the call then reports. */
function lookupsOf(accountId: number, { record }: ReadRecord) {
  const { data: number } = z.safeParse(
    orderInput.shape.order_number,
    "order_number" in record ? record.order_number : undefined,
  );
  return number === undefined ? [] : [orderNumbers.lookup(accountId, number)];
}
