import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { BinContent } from "./bin-repository.ts";

/** A bin's content of one product, in units, as clients see it. */
export const binEntry = z.object({
  BinID: primitive.int,
  Location: primitive.text,
  Bin: primitive.text,
  Quantity: primitive.int,
  ProductID: primitive.int,
});

export const presentBin = (content: BinContent): z.output<typeof binEntry> => ({
  BinID: content.bin_id,
  Location: content.location,
  Bin: content.bin,
  Quantity: content.quantity,
  ProductID: content.product_id,
});

/** A `binEntry` for a list of several products. */
export const inventoryEntry = z.extend(binEntry, { SKU: primitive.text });

export const presentInventory = (content: BinContent): z.output<typeof inventoryEntry> => ({
  ...presentBin(content),
  SKU: content.sku,
});
