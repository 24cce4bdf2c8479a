import * as z from "zod/mini";
import * as plain from "../common/plain.ts";
import { type Order, order, orderPick } from "../orders/order.ts";
import { isPicked } from "../orders/order-transitions.ts";
import { layer } from "../stock/bins/layers.ts";
import { pickProgress } from "./picking.ts";

/** What was picked for an order and what is still to be picked. */
export const pickLog = z.object({
  order_id: plain.int,
  order_number: plain.text,
  account_id: plain.int,
  status: order.shape.status,
  fully_picked: plain.boolean,
  items: z.array(
    z.object({
      product_id: plain.int,
      sku: plain.text,
      quantity: plain.int,
      picked: plain.int,
      remaining: plain.int,
    }),
  ),
  picks: z.array(
    z.extend(
      z.pick(orderPick, {
        product_id: true,
        sku: true,
        location: true,
        bin: true,
        bin_id: true,
        quantity: true,
      }),
      { lots: z.array(layer), serials: z.array(plain.text) },
    ),
  ),
});

export const presentPickLog = (picked: Order): z.output<typeof pickLog> => ({
  ...picked,
  fully_picked: isPicked(picked),
  items: pickProgress(picked),
  picks: picked.picks.map(({ layers, ...pick }) => ({ ...pick, lots: layers })),
});
