/**
 * Accepting corrections (docs/decisions.md, Recounts). A bin keeps what it will hold once all accepted corrections are
 * applied. A correction is decided on that figure, and changes the figure in the transaction that stores its job. So its
 * effect is certain from then on, and jobs only add.
 */

import { invalid, type Problem } from "../../common/problem.ts";
import { type Acceptance, acceptJobs, inOrder, type Positioned } from "../../jobs/accept-jobs.ts";
import { insertJob } from "../../jobs/job-repository.ts";
import type { Context } from "../../lambda/context.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import { expectationOf, expectCorrections } from "../bins/bin-repository.ts";
import { type BinPlan, failing, planRecount, resolveRecount } from "./plan-recount.ts";
import type { Correction, QueuedCorrection } from "./recount.ts";
import type { ReadEntry, RecountFailure } from "./recount-request.ts";
import { recountFailed } from "./recount-view.ts";

/**
 * Accepts the entries of a call. Sends no messages. A call whose bins and jobs fit one transaction is stored by that one,
 * with its answer. Otherwise each bin is stored with its jobs, and stands for itself.
 * @returns the jobs, in the order of the entries. If a call of several transactions was stored in part, the failure of an
 * entry stands in the place of its job
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
  if (failures.length > 0 || !fitsOne) {
    const plans = (await planRecount(db, [bins])).flat();
    const wrong = inOrder([...failures, ...plans.flatMap((plan) => plan.failures)]);
    if (wrong.length > 0) throw recountFailed(wrong);
  }
  const parts = fitsOne ? [bins] : bins.map((bin) => [bin]);
  const refusal = fitsOne
    ? recountFailed
    : ([first]: readonly RecountFailure[]): Problem => invalid(first?.message ?? "");
  const outcomes = await acceptJobs(
    context,
    parts,
    async (open) =>
      (await planRecount(db, open)).map((plans) => {
        const wrong = inOrder(plans.flatMap((plan) => plan.failures));
        return wrong.length > 0 ? { problem: refusal(wrong) } : plans.map(acceptanceOf);
      }),
    answer,
  );
  const answers = outcomes.flatMap(
    (outcome, index): readonly Positioned<QueuedCorrection | RecountFailure>[] => {
      if ("result" in outcome) return outcome.result;
      const { message } = outcome.problem;
      const refused = parts[index]?.flatMap((bin) => bin.entries) ?? [];
      return refused.map(({ value, position }) => ({ value: failing(value, message), position }));
    },
  );
  return inOrder(answers);
}

/** The corrections of a bin are accepted by a job each, and by what the bin will hold. */
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
    // If the bin's corrections are stored by a saga, it is named by its first write, which no other writer may know.
    return [...records.slice(0, 1), expectCorrections(found, jobs), ...records.slice(1)];
  },
});
