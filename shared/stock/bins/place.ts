import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";

/** A product in one of the warehouse's bins, as the records name it that tell of goods there. */
export const productInBin = z.object({
  product_id: primitive.int,
  sku: primitive.text,
  bin_id: primitive.int,
  location: primitive.text,
  bin: primitive.text,
  distribution_center_id: primitive.int,
});
