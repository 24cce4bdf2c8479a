import * as z from "zod/mini";
import { expectedVersion, optionalId, optionalName } from "../../../shared/common/fields.ts";
import { inputsOf, type Placed, resolveEach } from "../../../shared/common/placed.ts";
import { type Problem, throwTogether } from "../../../shared/common/problem.ts";
import { defineBulk } from "../../../shared/http/bulk/bulk-call.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { changeOrders } from "../../../shared/orders/change-orders.ts";
import { findOrderBy, noOrder } from "../../../shared/orders/find-order.ts";
import type { Order } from "../../../shared/orders/order.ts";
import { orderInput } from "../../../shared/orders/order-input.ts";
import {
  orderReferenceAccess,
  readOrderReferences,
  resolveOrders,
} from "../../../shared/orders/order-references.ts";
import { edit } from "../../../shared/orders/order-transitions.ts";
import { orderReadOnly, orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import type { AccountContext } from "../../../shared/runtime/context.ts";
import { holdAccess } from "../../../shared/stock/holds/hold-repository.ts";
import { zip } from "../../../shared/store/bulk/bulk.ts";

/**
 * The new content of an order. The order to replace is found by `order_id`, else by its number, else by its
 * reference.
 */
const replacement = z.extend(orderInput, {
  order_id: optionalId,
  order_number: optionalName,
  version: expectedVersion,
});
type Replacement = z.output<typeof replacement>;

export const endpoint = defineBulk(
  {
    method: "PUT",
    path: "/apirest/v4/oms/orders",
    summary: "Replace Pending orders and adjust their reserved stock",
    input: replacement,
    record: orderRecord,
    shown: orderWithActions,
    needsStock: true,
    bodyNamesRecord: true,
    takesVersion: true,
    alsoShown: ["history"],
    readOnly: orderReadOnly,
    access: { orders: "write", inventory: "write", ...holdAccess, ...orderReferenceAccess },
  },
  async (data, context) => {
    const { db, account_id } = context;
    const replaced = await findReplaced(context, data);
    const inputs = replaced.map(({ input: { sent, before }, path }) => {
      const { order_id: _id, version: _version, order_number = before.order_number, ...others } = sent;
      return { input: { ...others, order_number }, path };
    });
    const references = await readOrderReferences(db, account_id, inputsOf(inputs));
    const terms = resolveOrders(
      inputs,
      references,
      replaced.map(({ input }) => input.before),
    );
    return changeOrders(
      context,
      zip(inputsOf(replaced), terms).map(([{ sent, before, by, missing }, { input: replacing, path }]) => ({
        order_id: before.order_id,
        path,
        version: sent.version,
        reservation: sent,
        decide: async (latest, at) => {
          // Another call may have given it another number or reference since, which is to stay.
          if (latest[by] !== before[by]) return { problem: await missing() };
          // A number that was not sent stays as it is stored, even if it was changed a moment ago.
          return edit(latest, { ...replacing, order_number: sent.order_number ?? latest.order_number }, at);
        },
      })),
    );
  },
);

const identifiers = ["order_id", "order_number", "order_reference"] as const;

/** A record, the field that it names its order `by`, and the problem if that is `missing`. */
interface Named {
  readonly sent: Replacement;
  readonly by: (typeof identifiers)[number];
  readonly missing: () => Promise<Problem>;
}

/** @throws Problem `invalid` with every record that carries no identifier */
const identifyOrders = (
  context: AccountContext,
  data: readonly Placed<Replacement>[],
): readonly Placed<Named>[] =>
  resolveEach(data, (sent, path, errors) => {
    const by = identifiers.find((field) => sent[field] !== undefined);
    if (by !== undefined)
      return { sent, by, missing: () => noOrder(context, by, String(sent[by]), `${path}.${by}`) };
    const message = "is required, unless order_number or order_reference is sent";
    errors.push({ path: `${path}.order_id`, message });
    return undefined;
  });

/**
 * Finds the orders that a call replaces.
 * @throws Problem `not_found` with every record that names none; as `identifyOrders`
 */
async function findReplaced(
  context: AccountContext,
  data: readonly Placed<Replacement>[],
): Promise<readonly Placed<Named & { readonly before: Order }>[]> {
  const found = await Promise.all(
    identifyOrders(context, data).map(async ({ input: named, path }) => {
      const before = await findOrderBy(context, named.by, String(named.sent[named.by]));
      return before === undefined
        ? { problem: await named.missing() }
        : { input: { ...named, before }, path };
    }),
  );
  throwTogether(found.flatMap((one) => ("problem" in one ? [one.problem] : [])));
  return found.flatMap((one) => ("problem" in one ? [] : [one]));
}

export const handler = lambda(endpoint);
