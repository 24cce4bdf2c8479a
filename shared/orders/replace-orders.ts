/** Replaces Pending orders: which order each record of a call names, and how it changes. */
import * as z from "zod/mini";
import { mapConcurrently } from "../common/concurrency.ts";
import { expectedVersion, optionalId, optionalName, setOnce } from "../common/fields.ts";
import { type Placed, resolveEach, valuesOf } from "../common/placed.ts";
import { duplicatePositions, type Problem, throwTogether } from "../common/problem.ts";
import type { AccountContext } from "../runtime/context.ts";
import type { Outcome, Receipts } from "../store/bulk/bulk.ts";
import { changeOrders } from "./change-orders.ts";
import { findOrdersBy, noOrder } from "./find-order.ts";
import type { Order } from "./order.ts";
import { orderInput } from "./order-input.ts";
import { readOrderReferences, resolveOrders, type SentOrder } from "./order-references.ts";
import { edit } from "./order-transitions.ts";
import type { OrderRecord } from "./order-view.ts";
import type { StoredOrder } from "./storage/order-repository.ts";

/**
 * The new content of an order. The order to replace is found by `order_id`, else by its number, else by its
 * reference.
 */
export const replacement = z.extend(orderInput, {
  order_id: optionalId,
  order_number: optionalName,
  version: expectedVersion,
});
type Replacement = z.output<typeof replacement>;

const cancelling = "POST /apirest/v4/oms/orders/cancel cancels the order";
const shipping = "the warehouse sets it as it ships the order";
const weighing = "POST /apirest/v4/wms/orders/UpdateWeight sets it";

/** The calls that change the fields which a PUT leaves alone. Others follow from what was sent. */
export const orderReadOnly = {
  order_api: setOnce,
  nbtybarcode: setOnce,
  created_at: setOnce,
  status: cancelling,
  status_id: cancelling,
  cancelled_at: cancelling,
  sub_status: "POST /apirest/v4/oms/orders/sub_status sets it",
  tracking_number: shipping,
  carrier: shipping,
  shipped_at: shipping,
  weight: weighing,
  weight_updated_at: weighing,
} as const;

/**
 * Replaces orders of an account, and adjusts their reservations.
 * @throws Problem as `findReplaced`, `resolveOrders` and `changeOrders`
 */
export async function replaceOrders(
  context: AccountContext & Receipts,
  data: readonly Placed<Replacement>[],
): Promise<readonly Outcome<OrderRecord>[]> {
  const replaced = await findReplaced(context, data);
  const inputs = valuesOf(replaced).map(({ sent }) => sent);
  const references = await readOrderReferences(context.db, context.account_id, inputs);
  return changeOrders(
    context,
    resolveOrders(replaced, references).map(({ value: named, path }) => {
      const { by, replacing, sent, stored, before, terms } = named;
      return {
        order_id: before.order_id,
        path,
        read: stored,
        version: replacing.version,
        reservation: sent,
        decide: async (latest, at) => {
          // Another call may have given it another number or reference since, which is kept.
          if (latest[by] !== before[by]) return { problem: await missing(context, { value: named, path }) };
          // A number that was not sent stays as stored, even if it was changed a moment ago.
          const { order_number = latest.order_number } = replacing;
          return edit(latest, { ...terms, order_number }, at);
        },
      };
    }),
  );
}

const identifiers = ["order_id", "order_number", "order_reference"] as const;

/** A record that names its order `by` a field with this value. */
interface NamedOrder {
  readonly replacing: Replacement;
  readonly by: (typeof identifiers)[number];
  readonly value: string;
}

/** A record, and the order that it replaces. What is sent has the order's own number if it states none. */
interface ReplacedOrder extends NamedOrder, Required<SentOrder> {
  readonly stored: StoredOrder;
}

const missing = (
  context: AccountContext,
  { value: { by, value }, path }: Placed<NamedOrder>,
): Promise<Problem> => noOrder(context, by, value, `${path}.${by}`);

/** @throws Problem `invalid` with every record that carries no identifier */
const identifyOrders = (data: readonly Placed<Replacement>[]): readonly Placed<NamedOrder>[] =>
  resolveEach(data, (replacing, path, errors) => {
    const by = identifiers.find((field) => replacing[field] !== undefined);
    if (by !== undefined) return { replacing, by, value: String(replacing[by]) };
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
): Promise<readonly Placed<ReplacedOrder>[]> {
  const named = identifyOrders(data);
  const found = await findOrdersBy(context, valuesOf(named));
  const unknown = named.filter((_, position) => found[position] === undefined);
  throwTogether(await mapConcurrently(unknown, (one) => missing(context, one)));
  const repeated = duplicatePositions(found.map((stored) => stored?.record.order_id));
  return resolveEach(named, ({ replacing, by, value }, path, errors, position) => {
    if (repeated.has(position))
      errors.push({ path: `${path}.${by}`, message: `names an order twice (${value})` });
    const stored = found[position];
    if (stored === undefined) return undefined;
    const { record: before } = stored;
    const { order_id: _id, version: _version, order_number = before.order_number, ...others } = replacing;
    const sent = { ...others, cart: cartOf(replacing, before), order_number };
    return { replacing, by, value, sent, stored, before };
  });
}

/** A cart as the order shows it names the order's store, which may have been given another name since. */
const cartOf = ({ cart }: Replacement, { store }: Order): Replacement["cart"] =>
  store !== null && cart?.id === store.id && cart.store_name === store.name ? { id: store.id } : cart;
