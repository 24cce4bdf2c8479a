import * as z from "zod/mini";
import { available, type StockLevel } from "../../domain/stock.ts";

/** Stock of a product in a distribution center as clients see it, in units (decisions, section 5). */
export const stockRecord = z.object({
  sku: z.string(),
  product_id: z.int(),
  distribution_center: z.string(),
  on_hand: z.int(),
  reserved: z.int(),
  available: z.int(),
  incoming: z.int(),
});

export const presentStock = (level: StockLevel): z.output<typeof stockRecord> => ({
  ...level,
  available: available(level),
});
