/**
 * Accepting corrections (docs/decisions.md, Recounts). A bin keeps what it will hold once all accepted corrections are
 * applied. A correction is decided on that figure, and changes the figure in the transaction that stores its job. So its
 * effect is certain from then on, and jobs only add.
 */

import { invalid } from "../../common/problem.ts";
import { insertJob, jobLookup, type NewJob } from "../../jobs/job-repository.ts";
import { type Context, storeOnce } from "../../lambda/context.ts";
import { storeEach } from "../../store/bulk/bulk.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { allocate } from "../../store/lists/allocate.ts";
import { everyone, jobList } from "../../store/lists/definitions.ts";
import { untilSettled } from "../../store/sagas/saga.ts";
import { expectationOf, expectCorrections } from "../bins/bin-repository.ts";
import {
  type BinEntries,
  type BinPlan,
  failing,
  planRecount,
  resolveRecount,
  type WrongEntry,
} from "./plan-recount.ts";
import type { Correction } from "./recount.ts";
import { recountFailed } from "./recount-failure.ts";
import type { ReadEntry, RecountFailure } from "./recount-request.ts";

/** A correction that was accepted, as the job that applies it. */
export type AcceptedCorrection = NewJob<Correction>;

/** The jobs of one bin's entries, with their positions in the call, and the writes that accept them. */
interface Accepted {
  readonly jobs: readonly { readonly job: AcceptedCorrection; readonly position: number }[];
  readonly writes: readonly Write[];
}

type Positioned = { readonly position: number };

/** What became of an entry. */
type Answered = Positioned & { readonly answer: AcceptedCorrection | RecountFailure };

const byPosition = (left: Positioned, right: Positioned): number => left.position - right.position;

const inOrder = (jobs: Accepted["jobs"]): readonly AcceptedCorrection[] =>
  jobs.toSorted(byPosition).map(({ job }) => job);

/**
 * Accepts the entries of a call. Sends no messages. A call whose bins and jobs fit one transaction is stored by that one,
 * with its answer. Otherwise each bin is stored with its jobs, and stands for itself.
 * @returns the jobs, in the order of the entries. Where a call of several transactions was stored in part, the failure of
 * an entry stands in the place of its job
 * @throws Problem `invalid`, with nothing accepted, where an entry is wrong; as `planRecount`; Busy
 */
export async function acceptRecount(
  context: Context,
  entries: readonly ReadEntry[],
  answer: (jobs: readonly AcceptedCorrection[]) => object,
): Promise<readonly (AcceptedCorrection | RecountFailure)[]> {
  const { db } = context;
  const { bins, failures } = await resolveRecount(db, entries);
  const accept = async (some: readonly BinEntries[]): Promise<readonly Accepted[]> => {
    const plans = await planRecount(db, some);
    refuseWrong([...failures, ...plans.flatMap((plan) => plan.failures)]);
    return number(context, plans);
  };
  const fitsOne = bins.length + entries.length < transactionLimit;
  if (!fitsOne) return acceptApart(context, bins, accept, answer);
  return untilSettled(db, async () => {
    const accepted = await accept(bins);
    const jobs = inOrder(accepted.flatMap((bin) => bin.jobs));
    const writes = accepted.flatMap((bin) => bin.writes);
    await storeOnce(context, writes, answer(jobs));
    return jobs;
  });
}

function refuseWrong(failures: readonly WrongEntry[]): void {
  if (failures.length > 0) throw recountFailed(failures.toSorted(byPosition).map(({ failure }) => failure));
}

/**
 * Gives ids to the corrections of bins. The ids are allocated after the bins were read, so they are higher than those that
 * the bins know of. The ids rise in the order of the entries.
 */
async function number(
  { db, actor: by }: Pick<Context, "db" | "actor">,
  plans: readonly BinPlan[],
): Promise<readonly Accepted[]> {
  const positions = plans
    .flatMap(({ corrections }) => corrections)
    .map(({ position }) => position)
    .toSorted((left, right) => left - right);
  if (positions.length === 0) return [];
  const { firstId, at } = await allocate(db, jobList, everyone, positions.length);
  return plans.map(({ found, corrections }) => {
    const jobs = corrections.map(({ correction, position }) => {
      const job_id = firstId + positions.indexOf(position);
      const undo = expectationOf(correction, { job_id, difference: correction.difference });
      return { job: { job_id, by, payload: correction, undo }, position };
    });
    const waiting = jobs.map(({ job: { job_id, payload } }) => ({ job_id, difference: payload.difference }));
    const [first, ...others] = jobs.map(({ job }) => insertJob("recount", job, at));
    const [place] = corrections;
    if (first === undefined || place === undefined) return { jobs, writes: [] };
    // A job comes first: where the bin's corrections are stored in steps, they are a record that nobody else knows.
    return { jobs, writes: [first, expectCorrections(place.correction, found, waiting), ...others] };
  });
}

/** Accepts the entries of a call that no transaction holds: bin by bin, as the records of a bulk call are stored. */
async function acceptApart(
  context: Context,
  bins: readonly BinEntries[],
  accept: (some: readonly BinEntries[]) => Promise<readonly Accepted[]>,
  answer: (jobs: readonly AcceptedCorrection[]) => object,
): Promise<readonly (AcceptedCorrection | RecountFailure)[]> {
  const { db, idempotency } = context;
  let isBegun = false;
  const planner = async (some: readonly BinEntries[]) => {
    if (!isBegun) {
      isBegun = true;
      return (await accept(some)).map(({ jobs, writes }) => ({ writes, result: jobs }));
    }
    const plans = await planRecount(db, some);
    const fitting = plans.filter(({ failures }) => failures.length === 0);
    const accepted = new Map((await number(context, fitting)).map((one, index) => [fitting[index], one]));
    return plans.map((plan) => {
      const one = accepted.get(plan);
      if (one !== undefined) return { writes: one.writes, result: one.jobs };
      return { problem: invalid(plan.failures[0]?.failure.message ?? "quantity not valid") };
    });
  };
  const outcomes = await storeEach(db, bins, planner, (accepted) => {
    const jobs = inOrder(accepted.flat());
    return idempotency.recordIntended(
      () => answer(jobs),
      () => jobs.map(({ job_id }) => jobLookup(job_id)),
    );
  });
  const answers = outcomes.flatMap((outcome, index): readonly Answered[] => {
    if ("result" in outcome) return outcome.result.map(({ job, position }) => ({ answer: job, position }));
    const { message } = outcome.problem;
    const { entries } = bins[index] ?? { entries: [] };
    return entries.map(({ entry, position }) => ({ answer: failing(entry, message), position }));
  });
  return answers.toSorted(byPosition).map(({ answer }) => answer);
}
