import * as z from "zod/mini";
import { barcodeOf, type Order, statusIds } from "../../domain/order.ts";

/** An order as clients see it (decisions, section 4). */
export const orderRecord = z.object({
  order_id: z.int(),
  order_number: z.string(),
  order_reference: z.nullable(z.string()),
  order_api: z.string(),
  nbtybarcode: z.string(),
  status: z.string(),
  status_id: z.int(),
  sub_status: z.nullable(z.string()),
  order_type_id: z.int(),
  warehouse_id: z.int(),
  shipping_method: z.string(),
  tracking_number: z.nullable(z.string()),
  cart: z.nullable(z.object({ id: z.int(), store_name: z.string() })),
  customer: z.object({
    firstname: z.string(),
    lastname: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    address1: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    country: z.string(),
  }),
  items: z.array(
    z.object({
      sku: z.string(),
      ordered_as: z.string(),
      product_id: z.int(),
      quantity: z.int(),
      sold_price: z.nullable(z.number()),
    }),
  ),
  weight: z.nullable(z.number()),
  weight_updated_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An order with what derives from it: barcode, status code, cart. */
export const presentOrder = ({ store, ...order }: Order): z.output<typeof orderRecord> => ({
  ...order,
  nbtybarcode: barcodeOf(order.order_id),
  status_id: statusIds[order.status],
  cart: store === null ? null : { id: store.id, store_name: store.name },
});
