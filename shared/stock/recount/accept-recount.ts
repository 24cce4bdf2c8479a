/**
 * Accepts corrections (docs/decisions.md, Recounts). A bin stores the quantity that it will have once all
 * accepted corrections are applied. A correction is decided against that quantity, and updates it in the
 * transaction that stores the job. So its effect is certain from then on, and jobs only add units.
 */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalid, type Problem } from "../../common/problem.ts";
import { storeRest } from "../../http/bulk/bulk-answer.ts";
import { type Acceptance, acceptJobs, inOrder, type Positioned } from "../../jobs/accept-jobs.ts";
import { insertJob } from "../../jobs/job-repository.ts";
import type { Context } from "../../lambda/context.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import { expectationOf, expectCorrections } from "../bins/bin-repository.ts";
import { type BinPlan, failing, planRecount, resolveRecount } from "./plan-recount.ts";
import { type Correction, correction, type QueuedCorrection } from "./recount.ts";
import type { ReadEntry, RecountFailure } from "./recount-request.ts";
import { recountFailed } from "./recount-view.ts";

/**
 * Accepts the entries of a call, without sending messages. A call whose bins and jobs fit into one
 * transaction is stored in that one, with its response. Otherwise each bin is stored independently, with its
 * jobs.
 * @returns the jobs, in the order of the entries. If a call of several transactions was stored in part, an
 * entry that failed has its failure in place of a job
 * @throws Problem `invalid`, with nothing accepted, if an entry is wrong; as `planRecount`; Busy
 */
export async function acceptRecount(
  context: Context,
  entries: readonly ReadEntry[],
  answer: (jobs: readonly QueuedCorrection[]) => object,
): Promise<readonly (QueuedCorrection | RecountFailure)[]> {
  const { db } = context;
  const { bins, failures } = await resolveRecount(db, entries);
  const fitsOne = bins.length + entries.length < transactionLimit;
  const parts = fitsOne ? [bins] : bins.map((bin) => [bin]);
  const rejection = fitsOne
    ? recountFailed
    : ([first]: readonly RecountFailure[]): Problem => invalid(first?.message ?? "");
  const accept = async (open: readonly (typeof bins)[], own: Context) => {
    let first = failures.length > 0 || !fitsOne ? await planRecount(db, open) : undefined;
    const wrong = inOrder([...failures, ...(first ?? []).flat().flatMap((plan) => plan.failures)]);
    if (wrong.length > 0) throw recountFailed(wrong);
    return acceptJobs(
      own,
      open,
      async (some) => {
        const planned = first ?? (await planRecount(db, some));
        first = undefined;
        return planned.map((plans) => {
          const wrong = inOrder(plans.flatMap((plan) => plan.failures));
          return wrong.length > 0 ? { problem: rejection(wrong) } : plans.map(acceptanceOf);
        });
      },
      own.idempotency.receipt,
    );
  };
  const kept = {
    result: acceptedPart,
    answer: ([part = []]: readonly (readonly Positioned<QueuedCorrection>[])[]) => answer(inOrder(part)),
  };
  const outcomes = await storeRest(context, parts, kept, accept);
  const answers = outcomes.flatMap(
    (outcome, index): readonly Positioned<QueuedCorrection | RecountFailure>[] => {
      if ("result" in outcome) return outcome.result;
      const { problem } = outcome;
      const refused = parts[index]?.flatMap((bin) => bin.entries) ?? [];
      return refused.map(({ value, position }) => ({
        value: { ...failing(value, problem.message), problem },
        position,
      }));
    },
  );
  return inOrder(answers);
}

/** The accepted jobs of a part. */
const acceptedPart = z.readonly(
  z.array(
    z.object({
      position: primitive.int,
      value: z.object({
        job_id: primitive.int,
        by: primitive.text,
        request_id: z.optional(primitive.text),
        payload: correction,
      }),
    }),
  ),
);

/** Accepts the corrections of a bin: a job for each, and the bin's new expected quantity. */
const acceptanceOf = ({ found, corrections }: BinPlan): Acceptance<Correction> => ({
  payloads: corrections,
  writes: (jobs, at) => {
    const records = jobs.map((job) =>
      insertJob(
        "recount",
        job,
        at,
        expectationOf(job.payload, { job_id: job.job_id, difference: job.payload.difference }),
      ),
    );
    // A saga takes its name from its first write, which must be unknown to other writers: a new job record.
    return [...records.slice(0, 1), expectCorrections(found, jobs), ...records.slice(1)];
  },
});
