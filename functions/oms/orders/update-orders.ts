import * as z from "zod/mini";
import { mapConcurrently } from "../../../shared/common/concurrency.ts";
import { expectedVersion, optionalId, optionalName } from "../../../shared/common/fields.ts";
import { inputsOf, type Placed, resolveEach } from "../../../shared/common/placed.ts";
import { duplicatePositions, type Problem, throwTogether } from "../../../shared/common/problem.ts";
import { defineBulk } from "../../../shared/http/bulk/bulk-call.ts";
import { lambda } from "../../../shared/http/lambda.ts";
import { changeOrders } from "../../../shared/orders/change-orders.ts";
import { findOrdersBy, noOrder } from "../../../shared/orders/find-order.ts";
import type { Order, OrderTerms } from "../../../shared/orders/order.ts";
import { type OrderInput, orderInput } from "../../../shared/orders/order-input.ts";
import {
  orderReferenceAccess,
  readOrderReferences,
  resolveOrders,
} from "../../../shared/orders/order-references.ts";
import { edit, type OrderDecision } from "../../../shared/orders/order-transitions.ts";
import { orderReadOnly, orderRecord, orderWithActions } from "../../../shared/orders/order-view.ts";
import { orderWriteAccess, type StoredOrder } from "../../../shared/orders/storage/order-repository.ts";
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
    access: { ...orderWriteAccess, ...holdAccess, ...orderReferenceAccess },
  },
  async (data, context) => {
    const replaced = await findReplaced(context, data);
    const inputs = inputsOf(replaced).map(({ sent }) => sent);
    const references = await readOrderReferences(context.db, context.account_id, inputs);
    return changeOrders(
      context,
      resolveOrders(replaced, references).map(({ input, path }) => ({
        order_id: input.before.order_id,
        path,
        read: input.stored,
        version: input.version,
        reservation: input.sent,
        decide: (latest, at) => decide(input, latest, at),
      })),
    );
  },
);

const identifiers = ["order_id", "order_number", "order_reference"] as const;

/** A record that names its order `by` a field with this value, and the problem if that is `missing`. */
interface Named {
  readonly replacing: Replacement;
  readonly by: (typeof identifiers)[number];
  readonly value: string;
  readonly missing: () => Promise<Problem>;
}

/** A record, and the order that it replaces. */
interface Replaced extends Pick<Named, "by" | "missing"> {
  /** With the order's own number if the call states none. */
  readonly sent: OrderInput;
  readonly statesNumber: boolean;
  readonly version: number | undefined;
  readonly stored: StoredOrder;
  readonly before: Order;
}

async function decide(
  { by, before, terms, statesNumber, missing }: Replaced & { readonly terms: OrderTerms },
  latest: Order,
  at: string,
): Promise<OrderDecision> {
  // Another call may have given it another number or reference since, which is to stay.
  if (latest[by] !== before[by]) return { problem: await missing() };
  // A number that was not sent stays as it is stored, even if it was changed a moment ago.
  return edit(latest, statesNumber ? terms : { ...terms, order_number: latest.order_number }, at);
}

/** @throws Problem `invalid` with every record that carries no identifier */
const identifyOrders = (
  context: AccountContext,
  data: readonly Placed<Replacement>[],
): readonly Placed<Named>[] =>
  resolveEach(data, (replacing, path, errors) => {
    const by = identifiers.find((field) => replacing[field] !== undefined);
    if (by !== undefined) {
      const value = String(replacing[by]);
      return { replacing, by, value, missing: () => noOrder(context, by, value, `${path}.${by}`) };
    }
    const message = "is required, unless order_number or order_reference is sent";
    errors.push({ path: `${path}.order_id`, message });
    return undefined;
  });

/**
 * Finds the orders that a call replaces.
 * @throws Problem `not_found` with every record that names none; `invalid` with every one that names the
 * order of another record; as `identifyOrders`
 */
async function findReplaced(
  context: AccountContext,
  data: readonly Placed<Replacement>[],
): Promise<readonly Placed<Replaced>[]> {
  const named = identifyOrders(context, data);
  const found = zip(named, await findOrdersBy(context, inputsOf(named))).map(([{ input, path }, stored]) => ({
    input: { ...input, stored },
    path,
  }));
  const unknown = inputsOf(found).filter(({ stored }) => stored === undefined);
  throwTogether(await mapConcurrently(unknown, ({ missing }) => missing()));
  const repeated = duplicatePositions(inputsOf(found).map(({ stored }) => stored?.record.order_id));
  return resolveEach(found, ({ by, value, missing, replacing, stored }, path, errors, position) => {
    if (repeated.has(position))
      errors.push({ path: `${path}.${by}`, message: `names an order twice (${value})` });
    if (stored === undefined) return undefined;
    const { record: before } = stored;
    const { order_id: _id, version, order_number = before.order_number, ...others } = replacing;
    const statesNumber = replacing.order_number !== undefined;
    return { by, missing, sent: { ...others, order_number }, statesNumber, version, stored, before };
  });
}

export const handler = lambda(endpoint);
