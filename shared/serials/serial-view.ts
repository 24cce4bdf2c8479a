import * as z from "zod/mini";
import { attributeInput } from "../attributes/attribute.ts";
import * as primitive from "../common/primitives.ts";
import { serial } from "./serial.ts";
import { serialBatch } from "./serial-batch.ts";

/** A serial as clients see it, with the attributes that batches have given it. */
export const serialRecord = z.extend(z.omit(serial, { picked_for: true }), {
  sku: primitive.text,
  attributes: z.array(attributeInput),
});

/** Serials that were created together. */
export const serialsRecord = z.object({
  sku: primitive.text,
  product_id: primitive.int,
  serials: z.array(primitive.text),
  created_at: primitive.time,
});

/** Attributes that were given to a range of serials, and how many serials the range covered. */
export const serialBatchRecord = z.extend(z.omit(serialBatch, { created_at: true }), {
  sku: primitive.text,
  serials_covered: primitive.int,
});
