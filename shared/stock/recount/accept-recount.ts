/**
 * Accepts corrections (docs/decisions.md, Recounts). A bin stores the quantity that it will have once all
 * accepted corrections are applied. A correction is decided against that quantity, and updates it in the
 * transaction that stores the job. So the difference is fixed from then on, and the job only adds it. The job
 * fails only if goods have left the bin by then.
 */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalid } from "../../common/problem.ts";
import { storeRest } from "../../http/bulk/bulk-call.ts";
import { everyone, insertJob, jobList } from "../../jobs/job-repository.ts";
import type { Context } from "../../runtime/context.ts";
import { type Outcome, type Plan, storeEach } from "../../store/bulk/bulk.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { allocate } from "../../store/lists/allocate.ts";
import { expectationOf, expectCorrections } from "../bins/bin-repository.ts";
import {
  type BinEntries,
  type BinPlan,
  failing,
  inOrder,
  type Positioned,
  planRecount,
  resolveRecount,
} from "./plan-recount.ts";
import { correction, type QueuedCorrection } from "./recount.ts";
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
  const { bins, failures } = await resolveRecount(context.db, entries);
  const isOnePart = bins.length < 2 || bins.length + entries.length < transactionLimit;
  const parts = isOnePart ? [bins] : bins.map((bin) => [bin]);
  const outcomes = await storeRest(
    context,
    parts,
    { result: acceptedPart, answer: ([part = []]) => answer(inOrder(part)) },
    (open, own) => storeEach(own.db, open, planParts(own, open.length, failures), own.idempotency),
  );
  const [only] = outcomes;
  if (isOnePart && only !== undefined && "problem" in only) throw only.problem;
  return inOrder(outcomes.flatMap((outcome, part) => answersOf(outcome, parts[part] ?? [])));
}

/** The jobs of the bins of a part, or their failures if it was not stored. */
function answersOf(
  outcome: Outcome<AcceptedPart>,
  bins: readonly BinEntries[],
): readonly Positioned<QueuedCorrection | RecountFailure>[] {
  if ("result" in outcome) return outcome.result;
  const { problem } = outcome;
  return bins
    .flatMap((bin) => bin.entries)
    .map(({ value, position }) => ({ value: { ...failing(value, problem.message), problem }, position }));
}

/**
 * Plans the parts of a call. While all `count` of them are open, nothing of them is stored, so anything that
 * is wrong rejects them all. Later, a wrong part fails alone.
 */
const planParts =
  (context: Context, count: number, failures: readonly Positioned<RecountFailure>[]) =>
  async (open: readonly (readonly BinEntries[])[]): Promise<readonly Plan<AcceptedPart>[]> => {
    const parts = await planRecount(context.db, open);
    const wrong = inOrder([...failures, ...parts.flat().flatMap((bin) => bin.failures)]);
    if (wrong.length > 0 && open.length === count) throw recountFailed(wrong);
    return acceptances(context, parts);
  };

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
type AcceptedPart = z.output<typeof acceptedPart>;

/**
 * The jobs of each part of a call, and the writes that store them with the bins' new expected quantities; or
 * why the part is not accepted. Ids are allocated after planning, in the order of the call, so they are
 * higher than all ids that the plans have read.
 */
async function acceptances(
  { db, actor: by }: Context,
  parts: readonly (readonly BinPlan[])[],
): Promise<readonly Plan<AcceptedPart>[]> {
  const positions = parts
    .flat()
    .flatMap(({ corrections }) => corrections.map(({ position }) => position))
    .toSorted((left, right) => left - right);
  const { firstId, at } = await allocate(db, jobList, everyone, positions.length);
  return parts.map((bins) => {
    const [wrong] = inOrder(bins.flatMap(({ failures }) => failures));
    if (wrong !== undefined) return { problem: invalid(wrong.message) };
    const accepted = bins.map(({ found, corrections }) => {
      const jobs = corrections.map(({ value: payload, position }) => ({
        value: { job_id: firstId + positions.indexOf(position), by, request_id: db.requestId, payload },
        position,
      }));
      return { jobs, writes: acceptanceOf(found, inOrder(jobs), at) };
    });
    return {
      result: accepted.flatMap(({ jobs }) => jobs),
      writes: accepted.flatMap(({ writes }) => writes),
    };
  });
}

/** Stores the jobs of a bin, and what the bin expects from now on. */
function acceptanceOf(
  found: BinPlan["found"],
  jobs: readonly QueuedCorrection[],
  at: string,
): readonly Write[] {
  const records = jobs.map((job) => {
    const { job_id, payload } = job;
    return insertJob("recount", job, at, expectationOf(payload, { job_id, difference: payload.difference }));
  });
  // A saga takes its name from its first write, which must be unknown to other writers: a new job record.
  return [...records.slice(0, 1), expectCorrections(found, jobs), ...records.slice(1)];
}
