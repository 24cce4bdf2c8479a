/**
 * Accepts corrections (docs/decisions.md, Recounts). A bin stores the quantity that it will have once all
 * accepted corrections are applied. A correction is decided against that quantity, and updates it in the
 * transaction that stores the job. So its effect is certain from then on, and jobs only add units.
 */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalid, type Problem } from "../../common/problem.ts";
import { storeRest } from "../../http/bulk/bulk-call.ts";
import { everyone, insertJob, jobList } from "../../jobs/job-repository.ts";
import type { Context } from "../../lambda/context.ts";
import { type Plan, storeEach } from "../../store/bulk/bulk.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { allocate } from "../../store/lists/allocate.ts";
import { expectationOf, expectCorrections } from "../bins/bin-repository.ts";
import {
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
    const plan = async (some: typeof open) => {
      const planned = first ?? (await planRecount(db, some));
      first = undefined;
      return acceptances(own, planned, rejection);
    };
    const outcomes = await storeEach(db, open, plan, own.idempotency);
    const [only] = outcomes;
    if (outcomes.length === 1 && only !== undefined && "problem" in only) throw only.problem;
    return outcomes;
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

/**
 * The jobs of each part of a call, and the writes that store them with the bins' new expected quantities; or
 * why the part is not accepted. Ids are allocated after planning, in the order of the call, so they are
 * higher than all ids that the plans have read.
 */
async function acceptances(
  { db, actor: by }: Context,
  parts: readonly (readonly BinPlan[])[],
  rejection: (wrong: readonly RecountFailure[]) => Problem,
): Promise<readonly Plan<readonly Positioned<QueuedCorrection>[]>[]> {
  const failed = parts.map((bins) => inOrder(bins.flatMap(({ failures }) => failures)));
  const positions = parts
    .flatMap((bins, part) => (failed[part]?.length === 0 ? bins : []))
    .flatMap(({ corrections }) => corrections.map(({ position }) => position))
    .toSorted((left, right) => left - right);
  const { firstId, at } =
    positions.length === 0 ? { firstId: 0, at: "" } : await allocate(db, jobList, everyone, positions.length);
  return parts.map((bins, part) => {
    const wrong = failed[part] ?? [];
    if (wrong.length > 0) return { problem: rejection(wrong) };
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
