import * as z from "zod/mini";
import { type Order, order, orderPick } from "../../domain/orders/order.ts";
import { isPicked } from "../../domain/orders/order-transitions.ts";
import { pickProgress } from "../../domain/picking/picking.ts";
import { layer } from "../../domain/stock/layers.ts";

/** What was picked for an order and what is still to be picked. */
export const pickLog = z.object({
  order_id: z.int(),
  order_number: z.string(),
  account_id: z.int(),
  status: order.shape.status,
  fully_picked: z.boolean(),
  items: z.array(
    z.object({
      product_id: z.int(),
      sku: z.string(),
      quantity: z.int(),
      picked: z.int(),
      remaining: z.int(),
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
      { lots: z.array(layer), serials: z.array(z.string()) },
    ),
  ),
});

export const presentPickLog = (picked: Order): z.output<typeof pickLog> => ({
  ...picked,
  fully_picked: isPicked(picked),
  items: pickProgress(picked),
  picks: picked.picks.map(({ layers, ...pick }) => ({ ...pick, lots: layers })),
});
