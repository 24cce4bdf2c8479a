import * as z from "zod/mini";
import * as plain from "../../common/plain.ts";

/** A product in one of the warehouse's bins, as the records name it that tell of goods there. */
export const productInBin = z.object({
  product_id: plain.int,
  sku: plain.text,
  bin_id: plain.int,
  location: plain.text,
  bin: plain.text,
  distribution_center_id: plain.int,
});
