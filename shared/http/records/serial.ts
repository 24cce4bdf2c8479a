import * as z from "zod/mini";
import { attributeInput } from "../../domain/attribute.ts";
import { serial } from "../../domain/serials/serial.ts";
import { serialBatch } from "../../domain/serials/serial-batch.ts";

/** A serial as clients see it, with the attributes that batches have given it. */
export const serialRecord = z.extend(z.omit(serial, { picked_for: true }), {
  sku: z.string(),
  attributes: z.array(attributeInput),
});

/** Serials that were created together. */
export const serialsRecord = z.object({
  sku: z.string(),
  product_id: z.int(),
  serials: z.array(z.string()),
  created_at: z.string(),
});

/** Attributes that were given to a range of serials, and how many serials the range covered. */
export const serialBatchRecord = z.extend(z.omit(serialBatch, { created_at: true }), {
  sku: z.string(),
  serials_covered: z.int(),
});
