import * as z from "zod/mini";
import { amount, idIn, name, optionalText, quantity, text } from "../fields.ts";
import { layer } from "../stock/layers.ts";

/** Order statuses and their codes (docs/decisions.md, Order statuses). */
export const statusIds = { Pending: 1, Processing: 4, Shipped: 9, Cancelled: 10 } as const;

export type OrderStatus = keyof typeof statusIds;

export const orderStatuses: readonly OrderStatus[] = ["Pending", "Processing", "Shipped", "Cancelled"];

/** A block counts its orders by status, store, type and center, in one item of at most 400 KB: so types are few. */
const orderTypeId = z.int().check(z.gte(1), z.lte(99));

/** Most items of an order, also once its kits are replaced by their components. */
export const mostItems = 200;

/** What a client sends to create an order, or to replace one. */
export const orderInput = z.object({
  order_number: name,
  order_reference: optionalText(100),
  shipping_method: name,
  order_type_id: z.optional(orderTypeId),
  cart: z.optional(z.object({ store_name: optionalText(), id: z.optional(z.int()) })),
  customer: z.object({
    firstname: text(),
    lastname: optionalText(),
    email: z.optional(z.email().check(z.maxLength(254))),
    phone: optionalText(50),
    address1: text(),
    city: text(),
    state: text(100),
    zip: z.union([text(20), z.int().check(z.gte(0))]),
    country: text(100),
  }),
  items: z
    .array(z.object({ sku: name, quantity, sold_price: z.optional(amount) }))
    .check(z.minLength(1), z.maxLength(mostItems)),
});
export type OrderInput = z.output<typeof orderInput>;

/** Who receives an order. */
const customer = z.object({
  firstname: z.string(),
  lastname: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  address1: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
});
export type Customer = z.output<typeof customer>;

/** A product that an order takes, at the distribution center it is reserved in. */
export const orderItem = z.object({
  sku: z.string(),
  /** What the client named: the SKU, an alias of it, or a kit that it is a component of. */
  ordered_as: z.string(),
  product_id: z.int(),
  distribution_center_id: z.int(),
  quantity: z.int(),
  /** For one unit; null for a kit's component, since the price is the kit's (see `kits`). */
  sold_price: z.nullable(z.number()),
  /** Units that returns have been created for, out of what was shipped. */
  returned: z.int(),
});
export type OrderItem = z.output<typeof orderItem>;

/** A line that named a kit, which its components replace among the items. */
export const orderedKit = z.object({
  synset: z.string(),
  quantity: z.int(),
  sold_price: z.nullable(z.number()),
});
export type OrderedKit = z.output<typeof orderedKit>;

/** Goods that were taken out of a bin for an order; what is taken out of it later is added to them. */
export const orderPick = z.object({
  product_id: z.int(),
  sku: z.string(),
  bin_id: z.int(),
  location: z.string(),
  bin: z.string(),
  distribution_center_id: z.int(),
  quantity: z.int(),
  /** What of it is known to have come in when, as which lot: goods that go back into the bin are what they were. */
  layers: z._default(z.array(layer), []),
  /** Which serials were taken, of a product that has some; as many as units. */
  serials: z._default(z.array(z.string()), []),
  /** User name of who took from it last, and when. */
  by: z.string(),
  at: z.string(),
});
export type OrderPick = z.output<typeof orderPick>;

/** A text that says where goods were picked: a product has one pick for each bin. */
export const pickPlaceOf = ({ product_id, bin_id }: Pick<OrderPick, "product_id" | "bin_id">): string =>
  `${product_id}@${bin_id}`;

/** What of an order a client decides, resolved against the account's registries. */
export const orderTerms = z.object({
  order_number: z.string(),
  order_reference: z.nullable(z.string()),
  shipping_method: z.string(),
  order_type_id: z.int(),
  store: z.nullable(z.object({ id: z.int(), name: z.string() })),
  /** Distribution center of the first item. */
  warehouse_id: z.int(),
  customer,
  items: z.array(orderItem),
  kits: z.array(orderedKit),
});
export type OrderTerms = z.output<typeof orderTerms>;

export const order = z.extend(orderTerms, {
  account_id: z.int(),
  order_id: z.int(),
  order_api: z.string(),
  status: z.enum(["Pending", "Processing", "Shipped", "Cancelled"]),
  sub_status: z.nullable(z.string()),
  /** Pounds. */
  weight: z.nullable(z.number()),
  weight_updated_at: z.nullable(z.string()),
  /** The job that set the weight; of two that were accepted, the later one stays. */
  weighed_by: z.optional(z.int()),
  tracking_number: z.nullable(z.string()),
  /** User name of the picker who claimed it. */
  picker: z.nullable(z.string()),
  /** What has been taken out of bins, one entry for each place; a revert empties it, a shipped order keeps it. */
  picks: z.array(orderPick),
  /** The job that last reverted it to Pending; tells whether an order in Processing has been away. */
  reverted_by: z.optional(z.int()),
  /** Who placed it: `account:100`. */
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Rises with every change; a change is stored only on the version it was decided on. */
  version: z.int(),
});
export type Order = z.output<typeof order>;

/** The barcode on an order's packages: `NB` and the order id in ten digits. */
export const barcodeOf = (orderId: number): string => `NB${String(orderId).padStart(10, "0")}`;

/** The order id that a barcode states; undefined where it is none of the service's. */
export function orderIdInBarcode(barcode: string): number | undefined {
  const orderId = idIn(barcode.replace(/^NB0*/, ""));
  return orderId !== undefined && barcodeOf(orderId) === barcode ? orderId : undefined;
}

/** A newly placed order. */
export const placed = (
  terms: OrderTerms,
  {
    account_id,
    order_id,
    order_api,
    by,
    at,
  }: { account_id: number; order_id: number; order_api: string; by: string; at: string },
): Order => ({
  ...terms,
  account_id,
  order_id,
  order_api,
  status: "Pending",
  sub_status: null,
  weight: null,
  weight_updated_at: null,
  tracking_number: null,
  picker: null,
  picks: [],
  created_by: by,
  created_at: at,
  updated_at: at,
  version: 1,
});

/** What of an order is reserved: its items, until they are shipped or it is cancelled. */
export function promised({ status, items }: Order): readonly OrderItem[] {
  switch (status) {
    case "Pending":
    case "Processing":
      return items;
    case "Shipped":
    case "Cancelled":
      return [];
  }
}

/** What of an order has left the warehouse: its items, once they are shipped. */
export function departed({ status, items }: Order): readonly OrderItem[] {
  switch (status) {
    case "Shipped":
      return items;
    case "Pending":
    case "Processing":
    case "Cancelled":
      return [];
  }
}
