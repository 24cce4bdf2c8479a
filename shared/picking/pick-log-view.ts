import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import { type Order, order, orderPick } from "../orders/order.ts";
import { isPicked } from "../orders/order-status.ts";
import { layer } from "../stock/bins/goods.ts";
import { withPicked } from "./pick-list.ts";

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
const progressOf = (order: Order) =>
  [...Map.groupBy(withPicked(order), ({ product_id }) => product_id)].map(([product_id, lines]) => {
    const sumOf = (units: "quantity" | "picked" | "remaining") =>
      lines.reduce((sum, line) => sum + line[units], 0);
    return {
      product_id,
      sku: lines[0]?.sku ?? "",
      quantity: sumOf("quantity"),
      picked: sumOf("picked"),
      remaining: sumOf("remaining"),
    };
  });

export const presentPickLog = (picked: Order): z.output<typeof pickLog> => ({
  ...picked,
  fully_picked: isPicked(picked),
  items: progressOf(picked),
  picks: picked.picks.map(({ layers, ...pick }) => ({ ...pick, lots: layers })),
});
