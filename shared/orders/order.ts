/**
 * Orders, from the call that creates one until it is shipped or cancelled. This file says what an order is.
 *
 * `POST /orders`, with what each function calls beneath it. Files are in `shared`, where no folder is named:
 *
 *   gateway                       an HTTP request is logged, checked and answered: `http/http-handler.ts`
 *     bulkCall                    answers the records, or which of them are stored: `http/bulk/bulk-call.ts`
 *       storeRest                 leaves out orders that an interrupted run of the call has stored
 *         the flow of this call: `functions/oms/orders/create-orders.ts`
 *           readOrderReferences   reads all that the orders name, and the numbers that are taken
 *           resolveOrders         replaces names by what they stand for, or refuses the call with all errors
 *           createEach            gives each order an id and a time
 *             storeEach           stores each order atomically, many in a transaction: `store/bulk/bulk.ts`
 *               newOrder          makes a Pending order of what was sent
 *               insertOrder       writes its record, lookups and counters
 *               planOrders        adds the writes that reserve its stock, or why it is refused
 *                 presentOrder    makes what is answered, and kept with the order for a retry
 *
 * Every later change but that of a return goes through `change-orders.ts`. `order-status.ts` says which
 * status allows what.
 *
 * docs/developers.md says how to add an optional field, and how to add a filter to the list.
 */
import * as z from "zod/mini";
import { parseId } from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { layer, productInBin } from "../stock/bins/goods.ts";
import type { MovementReason } from "../stock/movements/movement.ts";
import type { StockChange } from "../stock/stock.ts";

export const orderStatuses = ["Pending", "Processing", "Shipped", "Cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The codes of the statuses (docs/decisions.md, Order statuses). */
export const statusIds = { Pending: 1, Processing: 4, Shipped: 9, Cancelled: 10 } as const;

/** Maximum items of an order, with the components of its kits. */
export const maxItems = 500;

/**
 * Maximum bytes of what a client decides of an order. The history of a replaced order holds them twice: 400
 * KB.
 */
export const maxTermsBytes = 180_000;

/** Maximum bytes of an order, with the goods that are picked for it. An item holds 409,600. */
export const maxOrderBytes = 400_000;

const customer = z.object({
  firstname: primitive.text,
  lastname: primitive.textOrNull,
  email: primitive.textOrNull,
  phone: primitive.textOrNull,
  address1: primitive.text,
  city: primitive.text,
  state: primitive.text,
  zip: primitive.text,
  country: primitive.text,
  /** When an operator erased the other fields, except the country. */
  erased_at: z.optional(primitive.time),
});
export type Customer = z.output<typeof customer>;

/** A product of an order, and the distribution center in which it is reserved. */
export const orderItem = z.object({
  sku: primitive.text,
  /** What the client named: the SKU, an alias of it, or a kit that contains the product. */
  ordered_as: primitive.text,
  product_id: primitive.int,
  distribution_center_id: primitive.int,
  quantity: primitive.int,
  /** The price of one unit; null for a kit's component, because the kit has the price (see `kits`). */
  sold_price: primitive.numberOrNull,
  /** Shipped units for which returns were created. */
  returned: primitive.int,
});
export type OrderItem = z.output<typeof orderItem>;

/** A line that named a kit. Among the items, the kit's components stand in its place. */
export const orderedKit = z.object({
  synset: primitive.text,
  quantity: primitive.int,
  sold_price: primitive.numberOrNull,
});
export type OrderedKit = z.output<typeof orderedKit>;

/** Goods that were taken out of one bin for an order. Later picks from that bin are added. */
export const orderPick = z.object({
  ...productInBin.shape,
  quantity: primitive.int,
  /** The known lots and days of arrival of the goods, so that goods put back are the same as before. */
  layers: z._default(z.array(layer), []),
  /** The serials that were taken, one for each unit, if the product has serials. */
  serials: z._default(z.array(primitive.text), []),
  /** The user name of the last person who took from the bin, and the time. */
  by: primitive.text,
  at: primitive.time,
});
export type OrderPick = z.output<typeof orderPick>;

/** Identifies a pick of an order, which has one for each product and bin. */
export const pickKeyOf = ({ product_id, bin_id }: Pick<OrderPick, "product_id" | "bin_id">): string =>
  `${product_id}@${bin_id}`;

/** The part of an order that a client decides, with its references found. */
const orderTerms = z.object({
  order_number: primitive.text,
  order_reference: primitive.textOrNull,
  shipping_method: primitive.text,
  order_type_id: primitive.int,
  store: z.nullable(z.object({ id: primitive.int, name: primitive.text })),
  /** The id of the first item's distribution center. */
  warehouse_id: primitive.int,
  customer,
  items: z.array(orderItem),
  kits: z.array(orderedKit),
});
export type OrderTerms = z.output<typeof orderTerms>;

export const order = z.extend(orderTerms, {
  account_id: primitive.int,
  order_id: primitive.int,
  order_api: primitive.text,
  status: z.enum(orderStatuses),
  sub_status: primitive.textOrNull,
  /** Pounds. */
  weight: primitive.numberOrNull,
  weight_updated_at: primitive.timeOrNull,
  /** The job that set the weight; 0 in the sandbox, which has none. The job accepted last prevails. */
  weighed_by: z.optional(primitive.int),
  /** The parcel's number and its carrier; null until the order is Shipped, or if unknown. */
  tracking_number: primitive.textOrNull,
  carrier: primitive.textOrNull,
  /** When the order was shipped or cancelled; null if it was not. */
  shipped_at: primitive.timeOrNull,
  cancelled_at: primitive.timeOrNull,
  /** The user name of the picker who claimed the order. */
  picker: primitive.textOrNull,
  /**
   * The goods taken out of bins, one entry for each product and bin. A revert empties the list; a shipped
   * order keeps it.
   */
  picks: z.array(orderPick),
  /** The job that last reverted the order. It shows whether an order left Processing and came back. */
  reverted_by: z.optional(primitive.int),
  /** Who placed the order: `account:100`. */
  created_by: primitive.text,
  ...primitive.versionFields,
});
export type Order = z.output<typeof order>;

/** The barcode on an order's packages: `NB` and the order id in ten digits. */
export const barcodeOf = (orderId: number): string => `NB${String(orderId).padStart(10, "0")}`;

/** The order id that a barcode states; undefined if the service made no such barcode. */
export function orderIdInBarcode(barcode: string): number | undefined {
  const orderId = parseId(barcode.replace(/^NB0*/, ""));
  return orderId !== undefined && barcodeOf(orderId) === barcode ? orderId : undefined;
}

export const newOrder = (
  terms: OrderTerms,
  { by, at, ...ids }: Pick<Order, "account_id" | "order_id" | "order_api"> & { by: string; at: string },
): Order => ({
  ...terms,
  ...ids,
  status: "Pending",
  sub_status: null,
  weight: null,
  weight_updated_at: null,
  tracking_number: null,
  carrier: null,
  shipped_at: null,
  cancelled_at: null,
  picker: null,
  picks: [],
  created_by: by,
  ...primitive.firstVersion(at),
});

/**
 * The effect of each unit of an order on stock in each status, and the reason of the movements that lead
 * there: it is reserved until it leaves the warehouse or is released.
 */
const stockRules: Readonly<
  Record<OrderStatus, { on_hand: 0 | -1; reserved: 0 | 1; reason: MovementReason }>
> = {
  Pending: { on_hand: 0, reserved: 1, reason: "order_updated" },
  Processing: { on_hand: 0, reserved: 1, reason: "order_updated" },
  Shipped: { on_hand: -1, reserved: 0, reason: "order_shipped" },
  Cancelled: { on_hand: 0, reserved: 0, reason: "order_cancelled" },
};

/** The effect of each item of an order on stock. */
export const stockEffectOf = ({ status, items }: Order): readonly StockChange[] =>
  items.map(({ product_id, distribution_center_id, quantity }) => ({
    product_id,
    distribution_center_id,
    on_hand: quantity * stockRules[status].on_hand,
    reserved: quantity * stockRules[status].reserved,
  }));

export const movementReasonOf = ({ status }: Order): MovementReason => stockRules[status].reason;
