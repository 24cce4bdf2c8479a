import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { barcodeOf, type Order, order, orderItem, orderPick } from "../orders/order.ts";
import { type PickLine, withPicked } from "./pick-list.ts";

/** An order as warehouse staff see it. It may belong to any account, and its customer is left out. */
const handled = z.object({
  order_id: primitive.int,
  order_number: primitive.text,
  account_id: primitive.int,
  nbtybarcode: primitive.text,
  status: order.shape.status,
  shipping_method: primitive.text,
});

const line = z.object({
  ...z.pick(orderItem, { sku: true, product_id: true, ordered_as: true, quantity: true }).shape,
  picked: primitive.int,
  remaining: primitive.int,
});

const stop = z.object({
  location: primitive.text,
  bin: primitive.text,
  bin_id: primitive.int,
  /** Units to take. */
  quantity: primitive.int,
  lot: primitive.textOrNull,
  expires_on: primitive.dayOrNull,
});

/** An order for its picker. `bins` says where to take the rest of a line, in the sequence of the stops. */
export const pickList = z.extend(handled, {
  items: z.array(z.extend(line, { bins: z.array(stop) })),
});

/** An order for quality control: its goods, and who took them from which bins. */
export const shipment = z.extend(handled, {
  picker: primitive.textOrNull,
  tracking_number: primitive.textOrNull,
  carrier: primitive.textOrNull,
  items: z.array(line),
  picks: z.array(
    z.pick(orderPick, { sku: true, location: true, bin: true, quantity: true, by: true, at: true }),
  ),
});

const withBarcode = (stored: Order) => ({ ...stored, nbtybarcode: barcodeOf(stored.order_id) });

export const presentPickList = (stored: Order, lines: readonly PickLine[]): z.output<typeof pickList> => ({
  ...withBarcode(stored),
  items: lines.map(({ bins, ...rest }) => ({ ...rest, bins: [...bins] })),
});

export const presentShipment = (stored: Order): z.output<typeof shipment> => ({
  ...withBarcode(stored),
  items: [...withPicked(stored)],
});
