import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { QueuedJob } from "../../jobs/job-repository.ts";
import { productInBin } from "../bins/layers.ts";

/** How a recount changes the quantity of a bin: by a number of units (`relative`), or to that number (`absolute`). */
export const recountChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("relative"), quantity: primitive.int }),
  z.object({ kind: z.literal("absolute"), quantity: primitive.int }),
]);
export type RecountChange = z.output<typeof recountChange>;

/** The correction of one product in one bin: the payload of a recount job. */
export const correction = z.object({
  account_id: primitive.int,
  ...productInBin.shape,
  distribution_center: primitive.text,
  /** What was asked for. */
  change: recountChange,
  /** What that comes to, in units, decided when the correction was accepted. Applying the correction adds this. */
  difference: primitive.int,
  /** What the bin will hold once this correction and all that were accepted before it are applied. */
  new_quantity: primitive.int,
  description: primitive.text,
});
export type Correction = z.output<typeof correction>;

/** A correction that is accepted, as the job that applies it. */
export type QueuedCorrection = QueuedJob<Correction>;

/** What is decided of a correction when it is accepted. */
type Decided = Pick<Correction, "difference" | "new_quantity">;

/**
 * Decides the corrections of one bin, each on those before it (docs/decisions.md, Recounts). `expected` is what the bin
 * will hold once all corrections that were accepted before are applied. A correction that would take the bin below zero
 * is answered with the reason, and those behind it are decided without it.
 */
export function decided(
  expected: number,
  changes: readonly RecountChange[],
): readonly (Decided | { readonly refused: string })[] {
  let before = expected;
  return changes.map((change) => {
    const new_quantity = quantityAfter(before, change);
    const difference = new_quantity - before;
    if (new_quantity < 0) return { refused: `quantity not valid: ${whyBelowZero(before, difference)}` };
    before = new_quantity;
    return { difference, new_quantity };
  });
}

/** Why a change does not fit a bin. Goods may have left the bin, so that what is queued takes more than it holds. */
const whyBelowZero = (expected: number, difference: number): string =>
  expected < 0
    ? `goods left the bin while corrections are queued that take more than it holds; send the change by ${difference} again once these have ended`
    : `the bin will hold ${expected}, so a change by ${difference} would leave it below zero`;

/** What a bin holds after the change, in units. A change whose result is below zero does not fit. */
export function quantityAfter(quantity: number, change: RecountChange): number {
  switch (change.kind) {
    case "relative":
      return quantity + change.quantity;
    case "absolute":
      return change.quantity;
  }
}

/** A correction that is accepted and not applied yet. */
export interface PendingCorrection {
  readonly job_id: number;
  readonly difference: number;
}

/**
 * The corrections that are to be applied first, where `quantity` units are too few for `difference`, which takes some.
 * Messages may overtake each other: a correction may come before another one that brings what it takes, or behind another
 * one that took it. What a bin will hold is the quantity and all that is waiting, and is not below zero unless goods left
 * the bin. So the ones that bring units always bring enough. The oldest are named, and no more than are needed. None is
 * named where none brings any: then goods have left the bin.
 */
export function neededFirst(
  quantity: number,
  difference: number,
  waiting: readonly PendingCorrection[],
): readonly number[] {
  let missing = -(quantity + difference);
  const needed: number[] = [];
  for (const { job_id, difference } of waiting.toSorted((left, right) => left.job_id - right.job_id)) {
    if (missing <= 0) break;
    if (difference <= 0) continue;
    needed.push(job_id);
    missing -= difference;
  }
  return needed;
}
