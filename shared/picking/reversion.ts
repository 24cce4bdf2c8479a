import * as z from "zod/mini";
import { id, maxRecords } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { type FieldError, Problem } from "../common/problem.ts";
import type { Order } from "../orders/order.ts";

/** What a warehouse sends to revert shipments. A shipment's id is its order's. */
export const reversionInput = z.object({
  shipments_list: z.array(id).check(z.minLength(1), z.maxLength(maxRecords)),
});

/** The revert of one shipment: the payload of a revert job. */
export const reversion = z.object({
  order_id: primitive.int,
  /** The job that was the last to revert the order when this job was accepted; see `revert`. */
  last: primitive.intOrNull,
});
export type Reversion = z.output<typeof reversion>;

/**
 * Finds the order of each shipment of a call. One that is named twice counts once (docs/decisions.md, Bulk
 * calls).
 * @throws Problem `invalid` with every shipment that is unknown or not in Processing
 */
export function resolveReversions(
  ids: readonly number[],
  orders: ReadonlyMap<number, { readonly record: Order }>,
): readonly Reversion[] {
  const shipments = [...new Set(ids)].map((id) => ({ id, order: orders.get(id)?.record }));
  const wrong = shipments.filter(({ order }) => order?.status !== "Processing");
  if (wrong.length > 0) throw notRevertible(ids, wrong);
  return shipments.flatMap(({ order }) =>
    order === undefined ? [] : [{ order_id: order.order_id, last: order.reverted_by ?? null }],
  );
}

/**
 * The message lists all shipments that can't be reverted, as the interface asks. `errors` say where each is
 * named first.
 */
function notRevertible(
  ids: readonly number[],
  wrong: readonly { readonly id: number; readonly order: Order | undefined }[],
): Problem {
  const errors = wrong.map(({ id, order }): FieldError => {
    const path = `shipments_list.${ids.indexOf(id)}`;
    return order === undefined
      ? { path, message: `is not in the warehouse (${id})`, code: "unknown_reference" }
      : { path, message: `is ${order.status}, not in Processing (${id})`, code: "wrong_status" };
  });
  const unknown = wrong.flatMap(({ id, order }) => (order === undefined ? [id] : []));
  const elsewhere = wrong.flatMap(({ id, order }) =>
    order === undefined ? [] : [`${id} (${order.status})`],
  );
  const lists = [
    ...(unknown.length > 0 ? [`not in the warehouse: ${unknown.join(", ")}`] : []),
    ...(elsewhere.length > 0 ? [`not in Processing: ${elsewhere.join(", ")}`] : []),
  ];
  return new Problem("invalid", `Nothing was reverted; shipments ${lists.join("; shipments ")}`, { errors });
}
