import * as z from "zod/mini";

/** How a recount changes the quantity of a bin: by a number of units (`relative`), or to that number (`absolute`). */
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
  /** What the bin will hold, as computed on acceptance: the quantity it had, and this call's changes up to this one. */
  new_quantity: z.int(),
  /** How often goods had been put into the bin or taken out when the correction was accepted. */
  moves: z.optional(z.int()),
  description: z.string(),
});
export type Correction = z.output<typeof correction>;

/** What a bin holds after the change, in units. A change whose result is below zero does not fit. */
export function quantityAfter(quantity: number, change: RecountChange): number {
  switch (change.kind) {
    case "relative":
      return quantity + change.quantity;
    case "absolute":
      return change.quantity;
  }
}

/** A correction as a bin takes it. Its id rises with the time at which it was accepted. */
export interface BinCorrection {
  readonly id: number;
  readonly kind: RecountChange["kind"];
}

/** The ids of the latest corrections that a bin has taken: the latest count and the latest relative change. */
export type Corrected = Readonly<Partial<Record<"counted_by" | "changed_by", number | undefined>>>;

/** The fields of `Corrected` that a bin gets with a correction. */
export function correctedBy({ changed_by = 0 }: Corrected, { id, kind }: BinCorrection): Corrected {
  switch (kind) {
    case "absolute":
      return { counted_by: id };
    case "relative":
      return id > changed_by ? { changed_by: id } : {};
  }
}

/**
 * Why a correction comes too late; undefined where it does not. Messages may overtake each other. A count includes the
 * changes accepted before it, so none of those may follow it. A count lacks the changes accepted after it, so it may
 * not follow those.
 */
export function superseded(
  { counted_by = 0, changed_by = 0 }: Corrected,
  { id, kind }: BinCorrection,
): string | undefined {
  if (counted_by > id) return `superseded by correction ${counted_by}, a later count`;
  if (kind === "absolute" && changed_by > id) return `superseded by correction ${changed_by}, a later change`;
  return undefined;
}

/**
 * Why a count no longer fits its bin; undefined where it does. A count tells what lay in the bin when it was accepted,
 * after `counted` moves of goods. It would undo the moves since then. A relative change leaves those as they are.
 */
export function outdated(
  { change, moves: counted }: Pick<Correction, "change" | "moves">,
  { moves = 0 }: { readonly moves?: number | undefined },
): string | undefined {
  if (change.kind === "relative" || counted === undefined || counted === moves) return undefined;
  return "the bin changed since it was counted: goods were put in or taken out";
}
