import * as z from "zod/mini";
import { amount, name } from "../common/fields.ts";
import { placed, resolveEach, valuesOf } from "../common/placed.ts";
import * as primitive from "../common/primitives.ts";
import { duplicateErrors, type FieldError } from "../common/problem.ts";
import { type Order, orderIdInBarcode } from "../orders/order.ts";
import { reasonNotAllowed } from "../orders/order-status.ts";

/** What a warehouse sends to weigh an order: the barcode on its packages, and the weight in pounds. */
export const weighingInput = z.object({ nbtybarcode: name, weight: amount });
type WeighingInput = z.output<typeof weighingInput>;

/** The weight of one order, in pounds: the payload of a weight job. */
export const weighing = z.object({ order_id: primitive.int, weight: primitive.number });
export type Weighing = z.output<typeof weighing>;

/** The ids of the orders to which a call's barcodes may belong. */
export const ordersToWeigh = (inputs: readonly WeighingInput[]): readonly number[] =>
  inputs.map(({ nbtybarcode }) => orderIdInBarcode(nbtybarcode)).filter((orderId) => orderId !== undefined);

/**
 * Finds the order of each record of a call.
 * @throws Problem `invalid` with every barcode that is unknown, repeated, or of an order that can't be
 * weighed
 */
export function resolveWeighings(
  inputs: readonly WeighingInput[],
  orders: ReadonlyMap<number, { readonly record: Order }>,
): readonly Weighing[] {
  const records = placed(inputs);
  const repeated = duplicateErrors(
    records.map(({ value: { nbtybarcode }, path }) => ({ name: nbtybarcode, path: `${path}.nbtybarcode` })),
  );
  const resolve = ({ nbtybarcode, weight }: WeighingInput, at: string, errors: FieldError[]) => {
    const order = orders.get(orderIdInBarcode(nbtybarcode) ?? 0)?.record;
    const path = `${at}.nbtybarcode`;
    if (order === undefined) {
      const message = `is the barcode of no order (${nbtybarcode})`;
      errors.push({ path, message, code: "unknown_reference" });
      return undefined;
    }
    const reason = reasonNotAllowed(order, "weigh");
    if (reason !== undefined) {
      const message = `is of an order that ${reason} (${nbtybarcode})`;
      errors.push({ path, message, code: "wrong_status" });
    }
    return { order_id: order.order_id, weight };
  };
  return valuesOf(resolveEach(records, resolve, repeated));
}
