import * as z from "zod/mini";
import {
  anyText,
  name,
  optional,
  optionalName,
  optionalPrice,
  optionalText,
  quantity,
  text,
} from "../common/fields.ts";
import * as primitive from "../common/primitives.ts";
import { maxItems } from "./order.ts";

/**
 * There are few types, because the type is one of `orderFacets`, and a block counts its orders by these in
 * one item of at most 400 KB.
 */
const orderTypeId = z.int().check(z.gte(1), z.lte(99));

/** Whether an order may exceed what is available, or is rejected in that case. */
const ifShort = z.enum(["backorder", "refuse"]);

export const orderItemInput = z.object({
  sku: name,
  ordered_as: optionalName,
  quantity,
  sold_price: optionalPrice,
  hold_id: optionalName,
});

/** What a client sends to create an order, or to replace one. */
export const orderInput = z.object({
  order_number: name,
  order_reference: optionalName,
  shipping_method: name,
  order_type_id: optional(orderTypeId),
  cart: optional(z.object({ store_name: optionalText(), id: optional(primitive.int) })),
  if_short: optional(ifShort),
  customer: z.object({
    firstname: text(),
    lastname: optionalText(),
    email: optional(z.email().check(z.maxLength(254))),
    phone: optionalText(50),
    address1: text(),
    city: text(),
    state: anyText(100),
    zip: z.union([anyText(20), z.int().check(z.gte(0))], {
      error: ({ input }) =>
        (input ?? undefined) === undefined ? undefined : "must be text, or a whole number of at least 0",
    }),
    country: text(100),
  }),
  items: z.array(orderItemInput).check(z.minLength(1), z.maxLength(maxItems)),
  /**
   * Kits whose components are sent among the items: those that state the synset as what they were ordered as.
   */
  kits: optional(
    z.array(z.object({ synset: name, quantity, sold_price: optionalPrice })).check(z.maxLength(maxItems)),
  ),
});
export type OrderInput = z.output<typeof orderInput>;
