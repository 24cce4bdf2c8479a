/** Imports a merchant's open orders through the API's calls. */
import * as z from "zod/mini";
import { endpoint as creation } from "../../../functions/oms/orders/create-orders.ts";
import { endpoint as replacement } from "../../../functions/oms/orders/update-orders.ts";
import { isDeepEqual } from "../../../shared/common/deep-equal.ts";
import { parseRequest } from "../../../shared/http/request/validation.ts";
import type { AccountContext } from "../../../shared/lambda/context.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { type OrderInput, orderInput } from "../../../shared/orders/order-input.ts";
import { type OrderReferences, resolveTerms } from "../../../shared/orders/order-references.ts";
import { orderNumbers, orders } from "../../../shared/orders/storage/order-repository.ts";
import { readOrderReferences } from "../../../shared/orders/storage/read-order-references.ts";
import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { type Compared, type ReadRecord, storeCompared } from "./by-call.ts";
import type { Rejection } from "./columns.ts";
import type { Importing } from "./importing.ts";
import { ordersIn } from "./order-rows.ts";

/** Imports orders. Those that exist with other values are replaced with `update` only. */
export const importOrders = (context: () => AccountContext, update: boolean): Importing<ReadRecord> => ({
  title: "orders",
  read: ordersIn,
  store: async (records) => {
    const calls = {
      create: (body: object) => creation.flow(parseRequest(creation.request, { body }), context()),
      change: (body: object) => replacement.flow(parseRequest(replacement.request, { body }), context()),
    };
    return storeCompared(await compared(context(), records), calls, update);
  },
});

/** Compares orders with those that have their numbers. Invalid ones count as new: the call refuses them. */
async function compared(
  { db, account_id }: AccountContext,
  records: readonly ReadRecord[],
): Promise<Compared> {
  const read = records.map((one) => ({ one, input: z.safeParse(orderInput, one.record).data }));
  const inputs = read.flatMap(({ input }) => input ?? []);
  const lookupOf = ({ order_number }: OrderInput) => orderNumbers.lookup(account_id, order_number);
  const [find, references] = await Promise.all([
    getItems(db, inputs.map(lookupOf)),
    readOrderReferences(db, account_id, inputs),
  ]);
  const idOf = (input: OrderInput): number => orderNumbers.holderIn(find(lookupOf(input))) ?? 0;
  const existing = await orders.findAll(db, account_id, inputs.map(idOf));
  const [fresh, differing, different]: [ReadRecord[], ReadRecord[], Rejection[]] = [[], [], []];
  let unchanged = 0;
  for (const { one, input } of read) {
    const before = input === undefined ? undefined : existing.get(idOf(input));
    if (before === undefined || input === undefined) {
      fresh.push(one);
      continue;
    }
    const wrong = differingFields(input, before, references);
    if (wrong.length === 0) unchanged += 1;
    else {
      differing.push(one);
      different.push(
        ...wrong.map((field) => ({ row: one.row, field, message: "differs from what is stored" })),
      );
    }
  }
  return { fresh, unchanged, differing, different };
}

/** The fields that a replacement would change, without their values: customers' data are not printed. */
function differingFields(input: OrderInput, before: Order, references: OrderReferences): readonly string[] {
  const resolved = resolveTerms(input, references, "", before);
  if ("errors" in resolved) return resolved.errors.map(({ path }) => path.slice(1));
  const stored = new Map<string, unknown>(Object.entries(before));
  return Object.entries(resolved.terms).flatMap(([name, value]) =>
    isDeepEqual(stored.get(name), value) ? [] : [name],
  );
}
