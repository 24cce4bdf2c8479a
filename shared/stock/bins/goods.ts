/** Goods as records state them: their bin and their lot. */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";

/** A product in a bin, as records of its goods identify it. */
export const productInBin = z.object({
  product_id: primitive.int,
  sku: primitive.text,
  bin_id: primitive.int,
  location: primitive.text,
  bin: primitive.text,
  distribution_center_id: primitive.int,
});

/** Units of one lot that arrived on one day. Dates are `YYYY-MM-DD`, UTC. */
export const layer = z.object({
  received_on: primitive.day,
  lot: primitive.textOrNull,
  expires_on: primitive.dayOrNull,
  quantity: primitive.int,
});
export type Layer = z.output<typeof layer>;
