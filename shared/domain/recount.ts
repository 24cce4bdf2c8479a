import * as z from "zod/mini";

/** How a recount changes the quantity of a bin: by so many units, or to so many. */
export const recountChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("relative"), quantity: z.int() }),
  z.object({ kind: z.literal("absolute"), quantity: z.int() }),
]);
export type RecountChange = z.output<typeof recountChange>;

/** The correction of one product in one bin: the payload of a recount job. */
export const correction = z.object({
  account_id: z.int(),
  product_id: z.int(),
  sku: z.string(),
  bin_id: z.int(),
  location: z.string(),
  bin: z.string(),
  distribution_center_id: z.int(),
  distribution_center: z.string(),
  change: recountChange,
  /** What the bin will hold, as reckoned when the correction was accepted: its quantity then and this call's changes. */
  new_quantity: z.int(),
  description: z.string(),
});
export type Correction = z.output<typeof correction>;

/** What a bin holds after the change, in units; below zero the change does not fit. */
export function quantityAfter(quantity: number, change: RecountChange): number {
  switch (change.kind) {
    case "relative":
      return quantity + change.quantity;
    case "absolute":
      return change.quantity;
  }
}
