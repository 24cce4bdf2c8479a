import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { type Order, order, orderPick } from "../orders/order.ts";
import { isPicked, unpickedUnits } from "../orders/order-status.ts";
import { layer } from "../stock/bins/layer.ts";

/** What was picked for an order and what is still to be picked. */
export const pickLog = z.object({
  order_id: primitive.int,
  order_number: primitive.text,
  account_id: primitive.int,
  status: order.shape.status,
  fully_picked: primitive.boolean,
  items: z.array(
    z.object({
      product_id: primitive.int,
      sku: primitive.text,
      quantity: primitive.int,
      picked: primitive.int,
      remaining: primitive.int,
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
      { lots: z.array(layer), serials: z.array(primitive.text) },
    ),
  ),
});

/** How far each product of the order is picked, in units, over all its lines. */
function progressOf(order: Order) {
  const open = unpickedUnits(order);
  return [...Map.groupBy(order.items, ({ product_id }) => product_id)].map(([product_id, lines]) => {
    const quantity = lines.reduce((sum, line) => sum + line.quantity, 0);
    const remaining = open.get(product_id) ?? 0;
    return { product_id, sku: lines[0]?.sku ?? "", quantity, picked: quantity - remaining, remaining };
  });
}

export const presentPickLog = (picked: Order): z.output<typeof pickLog> => ({
  ...picked,
  fully_picked: isPicked(picked),
  items: progressOf(picked),
  picks: picked.picks.map(({ layers, ...pick }) => ({ ...pick, lots: layers })),
});
