/**
 * Recounts: corrections of what a bin holds (docs/decisions.md, Recounts). A recount goes this way:
 *
 *  1. The call comes like every call (`shared/http/http-handler.ts`) to `functions/wms/recount.ts`.
 *  2. `readRecount` reads its body into entries, or rejects it (`recount-request.ts`).
 *  3. `acceptRecount` finds what they name (`resolve-recount.ts`), and accepts them whole or bin by bin
 *     (`accept-recount.ts`).
 *  4. Bins that an interrupted run of the call has stored are left out (`shared/store/bulk/store-rest.ts`).
 *  5. `planBin` decides each entry against what its bin is to hold: a correction, or why it is refused.
 *  6. Ids are allocated (`shared/store/lists/allocate.ts`), and the corrections become jobs (`insertJob`).
 *  7. `storeEach` stores the jobs, the bins' expected quantities, and the response for retries.
 *  8. `sendTogether` sends few messages (`shared/jobs/send.ts`).
 *  9. The call returns the jobs (`recount-view.ts`).
 * 10. A worker applies them (`shared/jobs/job-repository.ts`). `planCorrection` plans each: the change of its
 *     bin (`changeBin`) and of the stock (`moveStock`).
 *
 * A call that names one bin a hundred times is stored by a saga. If the call dies in it, the corrections may
 * be applied up to 45 s later than other jobs: `functions/jobs/resume-sagas.ts` finishes the saga first.
 */
import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import type { QueuedJob } from "../../jobs/job-repository.ts";
import { productInBin } from "../bins/goods.ts";

/**
 * How a recount changes the quantity of a bin: by a number of units (`relative`), or to that number
 * (`absolute`).
 */
const recountChange = z.object({ kind: z.enum(["relative", "absolute"]), quantity: primitive.int });
export type RecountChange = z.output<typeof recountChange>;

/** A requested change. */
export interface AskedChange {
  readonly change: RecountChange;
  /** The quantity that the bin must have before it, if the client states one. */
  readonly expected_quantity?: number | undefined;
}

/** The correction of one product in one bin: the payload of a recount job. */
export const correction = z.object({
  account_id: primitive.int,
  ...productInBin.shape,
  distribution_center: primitive.text,
  /** The requested change. */
  change: recountChange,
  /** The difference in units, decided when the correction was accepted. Applying the correction adds it. */
  difference: primitive.int,
  /** The bin's quantity once this correction and all accepted before it are applied. */
  new_quantity: primitive.int,
  description: primitive.text,
});
export type Correction = z.output<typeof correction>;

/** An accepted correction as the job that applies it. */
export type QueuedCorrection = QueuedJob<Correction>;

type Decided = Pick<Correction, "difference" | "new_quantity">;

/**
 * Decides the corrections of one bin, each based on those before it (docs/decisions.md, Recounts). `expected`
 * is the bin's quantity once all corrections accepted so far are applied. A correction that would take the
 * bin below zero, or that states another `expected_quantity`, is rejected with the reason, and later ones are
 * decided without it.
 */
export function decideCorrections(
  expected: number,
  asked: readonly AskedChange[],
): readonly (Decided | { readonly message: string })[] {
  let before = expected;
  return asked.map(({ change, expected_quantity = before }) => {
    if (expected_quantity !== before)
      return { message: `expected_quantity is ${expected_quantity}, but the bin will hold ${before}` };
    const new_quantity = quantityAfter(before, change);
    const difference = new_quantity - before;
    if (new_quantity < 0) return { message: `quantity not valid: ${whyBelowZero(before, difference)}` };
    before = new_quantity;
    return { difference, new_quantity };
  });
}

/**
 * Why a change would take a bin below zero. If goods have left the bin, queued corrections may already do so.
 */
const whyBelowZero = (expected: number, difference: number): string =>
  expected < 0
    ? `queued corrections already remove more than the bin holds, because goods have left it; retry the change by ${difference} when they are done`
    : `the bin will hold ${expected}, so a change by ${difference} would leave it below zero`;

/** The quantity of a bin after a change. A change with a negative result must be rejected. */
export const quantityAfter = (quantity: number, change: RecountChange): number =>
  change.kind === "relative" ? quantity + change.quantity : change.quantity;

/** An accepted correction that is not applied yet. */
export interface PendingCorrection {
  readonly job_id: number;
  readonly difference: number;
}

/**
 * The corrections to apply first if a bin has fewer units (`quantity`) than `difference` takes.
 *
 * Messages may arrive out of order, so a correction may arrive before one that adds the units it takes. The
 * expected quantity is the current one and all pending corrections, and it is not negative unless goods left
 * the bin. So the pending corrections that add units are always enough. Returns the oldest of them, and no
 * more than needed; none if no pending correction adds units, which means that goods have left the bin.
 */
export function neededFirst(
  quantity: number,
  difference: number,
  pending: readonly PendingCorrection[],
): readonly number[] {
  let missing = -(quantity + difference);
  const needed: number[] = [];
  for (const one of pending.toSorted((left, right) => left.job_id - right.job_id)) {
    if (missing <= 0) break;
    if (one.difference <= 0) continue;
    needed.push(one.job_id);
    missing -= one.difference;
  }
  return needed;
}
