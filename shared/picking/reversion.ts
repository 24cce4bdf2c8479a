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
  /** The job that had last reverted the order when this job was accepted; see `revert`. */
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
  orders: ReadonlyMap<number, Order>,
): readonly Reversion[] {
  const found = ids.flatMap((shipment, position): Found[] =>
    ids.indexOf(shipment) === position ? [{ shipment, position, order: orders.get(shipment) }] : [],
  );
  const shipments = found.flatMap(({ order }) => (order?.status === "Processing" ? [order] : []));
  if (shipments.length < found.length) throw rejection(found);
  return shipments.map(({ order_id, reverted_by }) => ({ order_id, last: reverted_by ?? null }));
}

/** A shipment, where the call names it first, and its order. */
interface Found {
  readonly shipment: number;
  readonly position: number;
  readonly order: Order | undefined;
}

const pathOf = (position: number): string => `shipments_list.${position}`;

/**
 * The message lists all shipments that can't be reverted, as the interface asks. `errors` say where each is
 * named.
 */
function rejection(found: readonly Found[]): Problem {
  const unknown: string[] = [];
  const elsewhere: string[] = [];
  const errors = found.flatMap(({ shipment, position, order }): FieldError[] => {
    const path = pathOf(position);
    if (order?.status === "Processing") return [];
    if (order === undefined) {
      unknown.push(String(shipment));
      return [{ path, message: `is not in the warehouse (${shipment})`, code: "unknown_reference" }];
    }
    elsewhere.push(`${shipment} (${order.status})`);
    return [{ path, message: `is ${order.status}, not in Processing (${shipment})`, code: "wrong_status" }];
  });
  const lists = [
    ...(unknown.length > 0 ? [`not in the warehouse: ${unknown.join(", ")}`] : []),
    ...(elsewhere.length > 0 ? [`not in Processing: ${elsewhere.join(", ")}`] : []),
  ];
  return new Problem("invalid", `Nothing was reverted; shipments ${lists.join("; shipments ")}`, { errors });
}
