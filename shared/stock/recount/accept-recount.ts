/**
 * Accepts corrections (docs/decisions.md, Recounts). A bin stores the quantity that it will have once all
 * accepted corrections are applied. A correction is decided against that quantity, and updates it in the
 * transaction that stores the job. So the difference is fixed from then on, and the job only adds it. The job
 * fails only if goods have left the bin by then.
 */

import * as z from "zod/mini";
import * as primitive from "../../common/primitives.ts";
import { invalid, Problem } from "../../common/problem.ts";
import { deploymentOwner, insertJob, jobList } from "../../jobs/job-repository.ts";
import type { Context } from "../../runtime/context.ts";
import { type Plan, type Planner, storeEach, zip } from "../../store/bulk/bulk.ts";
import { onlyResult, storeRest } from "../../store/bulk/store-rest.ts";
import { getItems, type Lookup, parsed, type RawItem } from "../../store/dynamodb/reads.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import { type PlannedWrites, withEffects } from "../../store/dynamodb/writes.ts";
import { allocate } from "../../store/lists/allocate.ts";
import {
  type BinContent,
  binContent,
  binContentLookup,
  expectCorrections,
  pendingCorrections,
  undoAcceptance,
} from "../bins/bin-repository.ts";
import { type Correction, correction, decideCorrections, type QueuedCorrection } from "./recount.ts";
import type { ReadEntry, RecountFailure } from "./recount-request.ts";
import { recountFailed } from "./recount-view.ts";
import { failing, type ResolvedEntry, resolveRecount } from "./resolve-recount.ts";

/** The jobs of the entries that one transaction or saga stores: the result that a receipt keeps. */
const acceptedJobs = z.readonly(
  z.array(
    z.object({
      position: primitive.int,
      job_id: primitive.int,
      by: primitive.text,
      request_id: z.optional(primitive.text),
      payload: correction,
    }),
  ),
);
type AcceptedJobs = z.output<typeof acceptedJobs>;

type Result = QueuedCorrection | RecountFailure;

/** A part of an entry, with the entry's position in the call. */
type Positioned<T> = T & { readonly position: number };

/** The entries of a call that name one bin, in their order. */
type BinEntries = readonly Positioned<ResolvedEntry | RecountFailure>[];

/**
 * Accepts the entries of a call, without sending messages. A call whose bins and jobs fit into one
 * transaction is accepted whole or not at all. A larger one is accepted bin by bin.
 * @returns the jobs, in the order of the entries. If a call of several transactions was stored in part, an
 * entry that failed has its failure in place of a job
 * @throws Problem `invalid`, with nothing accepted, if an entry is wrong; as `planBin`; Busy
 */
export async function acceptRecount(
  context: Context,
  entries: readonly ReadEntry[],
  answer: (jobs: readonly QueuedCorrection[]) => object,
): Promise<readonly Result[]> {
  const bins = groupByBin(await resolveRecount(context.db, entries));
  const isWhole = bins.length === 1 || bins.length + entries.length < transactionLimit;
  return isWhole ? acceptWhole(context, bins, answer) : acceptByBin(context, bins);
}

/**
 * Groups entries by the names of their bins, known or not. So the bins of a retry have the same positions, as
 * receipts need, even if a name has become unknown.
 */
const groupByBin = (entries: readonly (ResolvedEntry | RecountFailure)[]): readonly BinEntries[] => [
  ...Map.groupBy(
    entries.map((entry, position) => ({ ...entry, position })),
    ({ account_id, sku, location, bin }) => JSON.stringify([account_id, sku, location, bin]),
  ).values(),
];

const inOrder = <T extends { readonly position: number }>(some: readonly T[]): readonly T[] =>
  some.toSorted((left, right) => left.position - right.position);

/** Accepts all entries, with the response to the call. Throws everything that is wrong. */
async function acceptWhole(
  context: Context,
  bins: readonly BinEntries[],
  answer: (jobs: readonly QueuedCorrection[]) => object,
): Promise<readonly QueuedCorrection[]> {
  const planAll = async (): Promise<readonly Plan<AcceptedJobs>[]> => {
    const plans = await planBins(context, bins, false);
    const [first, ...others] = plans.map(({ writes }) => writes);
    const writes = withEffects(first ?? [], others.flat());
    return [{ result: plans.flatMap(({ jobs }) => jobs), writes }];
  };
  const kept = {
    result: acceptedJobs,
    answer: ([jobs = []]: readonly AcceptedJobs[]) => answer(inOrder(jobs)),
  };
  const outcomes = await storeRest(context, [bins], kept, (open, receipts) =>
    storeEach(context.db, open, planAll, receipts),
  );
  return inOrder(onlyResult(outcomes));
}

/** Accepts each bin on its own. Once one is stored, a wrong one fails alone. */
async function acceptByBin(context: Context, bins: readonly BinEntries[]): Promise<readonly Result[]> {
  const planOpen: Planner<BinEntries, AcceptedJobs> = async (open, isAnythingStored) => {
    const plans = await planBins(context, open, isAnythingStored);
    return plans.map(({ jobs, writes, failures: [failure] }) =>
      failure === undefined ? { result: jobs, writes } : { problem: invalid(failure.message) },
    );
  };
  // The response to a call of several bins is kept at its end.
  const kept = { result: acceptedJobs, answer: () => ({}) };
  const outcomes = await storeRest(context, bins, kept, (open, receipts) =>
    storeEach(context.db, open, planOpen, receipts),
  );
  const results = zip(bins, outcomes).flatMap(([entries, outcome]): readonly Positioned<Result>[] => {
    if ("result" in outcome) return outcome.result;
    const { problem } = outcome;
    return entries.map((entry) => {
      const { message } = "message" in entry ? entry : problem;
      return { ...failing(entry, message), position: entry.position, problem };
    });
  });
  return inOrder(results);
}

/**
 * Plans bins: their jobs, and the writes that store these with the bins' new expected quantities. Ids are
 * allocated once the bins are read, in the order of the call, so they are higher than all ids that the plans
 * are based on.
 * @throws Problem with everything that is wrong, unless something of the call is stored already
 */
async function planBins({ db, actor: by }: Context, bins: readonly BinEntries[], isAnyStored: boolean) {
  const find = await getItems(db, bins.flatMap(lookupsOf));
  const plans = bins.map((entries) => {
    const [lookup] = lookupsOf(entries);
    return planBin(lookup && find(lookup), entries);
  });
  const wrong = inOrder(plans.flatMap(({ failures }) => failures));
  if (wrong.length > 0 && !isAnyStored) throw recountFailed(wrong);
  const corrections = inOrder(plans.flatMap((plan) => plan.corrections));
  const { firstId, at } = await allocate(db, jobList, deploymentOwner, corrections.length);
  const jobAt = new Map(
    corrections.map((one, index) => {
      return [one.position, { ...one, job_id: firstId + index, by, request_id: db.requestId }];
    }),
  );
  return plans.map(({ found, corrections, failures }) => {
    const jobs = failures.length > 0 ? [] : corrections.flatMap(({ position }) => jobAt.get(position) ?? []);
    return { jobs, writes: acceptanceOf(found, jobs, at), failures };
  });
}

/** The lookup of these entries' bin, once for each entry with a valid name. */
const lookupsOf = (entries: BinEntries): readonly Lookup[] =>
  entries.flatMap((entry) =>
    "message" in entry ? [] : [binContentLookup(entry.product_id, entry.location, entry.bin)],
  );

/** The decision on the entries of one bin. */
interface BinPlan {
  /** The bin as it was read; undefined if it has never held or expected the product. */
  readonly found: BinContent | undefined;
  readonly corrections: readonly Positioned<{ readonly payload: Correction }>[];
  readonly failures: readonly Positioned<RecountFailure>[];
}

/**
 * Maximum accepted, unfinished corrections of one bin. Each takes about 17 bytes of the bin's item, and each
 * write of the item is charged for all of them: 34 units at the maximum. The item's partition allows 1,000
 * units a second, so they are applied in less than a minute. Five times as many would take seven minutes.
 */
export const maxPending = 1_000;

/**
 * Decides the entries of a bin against its current expected quantity.
 * @throws Problem `too_many` if the bin would have more than `maxPending` unfinished corrections
 */
export function planBin(item: RawItem | undefined, entries: BinEntries): BinPlan {
  const found = parsed(binContent, item);
  const asked = entries.filter((entry) => "product_id" in entry);
  if (item !== undefined && pendingCorrections(item).length + asked.length > maxPending) {
    const message = `At most ${maxPending} corrections of one bin may be queued; send this one again later`;
    throw new Problem("too_many", message, { retryAfterSeconds: 60 });
  }
  const corrections: Positioned<{ readonly payload: Correction }>[] = [];
  const failures = entries.filter((entry) => "message" in entry);
  for (const [entry, decision] of zip(asked, decideCorrections(found?.expected ?? 0, asked))) {
    const { position, expected_quantity: _, ...named } = entry;
    if ("message" in decision) failures.push({ ...failing(entry, decision.message), position });
    else corrections.push({ payload: { ...named, ...decision }, position });
  }
  return { found, corrections, failures: inOrder(failures) };
}

/** Stores the jobs of a bin, if any, and the bin's new expected quantity. */
function acceptanceOf(found: BinPlan["found"], jobs: readonly QueuedCorrection[], at: string): PlannedWrites {
  const [first, ...others] = jobs.map((job) => {
    const { job_id, payload } = job;
    return insertJob("recount", job, at, undoAcceptance(payload, { job_id, difference: payload.difference }));
  });
  // A job, not the bin, names the saga: other writers use the bin.
  return first === undefined ? [] : [first, expectCorrections(found, jobs), ...others];
}
