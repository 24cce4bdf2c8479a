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
import { type Plan, storeEach, zip } from "../../store/bulk/bulk.ts";
import { storeRest } from "../../store/bulk/store-rest.ts";
import { getItems, parsed, type RawItem } from "../../store/dynamodb/reads.ts";
import { transactionLimit } from "../../store/dynamodb/transact.ts";
import type { Write } from "../../store/dynamodb/writes.ts";
import { allocate } from "../../store/lists/allocate.ts";
import {
  type BinContent,
  binContent,
  expectationOf,
  expectCorrections,
  pendingCorrections,
} from "../bins/bin-repository.ts";
import { type Correction, correction, decideCorrections, type QueuedCorrection } from "./recount.ts";
import type { ReadEntry, RecountFailure } from "./recount-request.ts";
import { recountFailed } from "./recount-view.ts";
import { type BinEntries, failing, inOrder, type Positioned, resolveRecount } from "./resolve-recount.ts";

/** The accepted jobs of a part of a call. */
const acceptedPart = z.readonly(
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
type AcceptedPart = z.output<typeof acceptedPart>;

/**
 * Accepts the entries of a call, without sending messages. A call whose bins and jobs fit into one
 * transaction is stored in that one, with its response. Otherwise each bin is stored independently, with its
 * jobs.
 * @returns the jobs, in the order of the entries. If a call of several transactions was stored in part, an
 * entry that failed has its failure in place of a job
 * @throws Problem `invalid`, with nothing accepted, if an entry is wrong; as `planBin`; Busy
 */
export async function acceptRecount(
  context: Context,
  entries: readonly ReadEntry[],
  answer: (jobs: readonly QueuedCorrection[]) => object,
): Promise<readonly (QueuedCorrection | RecountFailure)[]> {
  const bins = partsByBin(entries, await resolveRecount(context.db, entries));
  const isOnePart = bins.length < 2 || bins.length + entries.length < transactionLimit;
  const whole = { bins: bins.flatMap((one) => one.bins), failures: bins.flatMap((one) => one.failures) };
  const parts = isOnePart ? [whole] : bins;
  const outcomes = await storeRest(
    context,
    parts,
    { result: acceptedPart, answer: ([part = []]) => answer(inOrder(part)) },
    (open, own) => storeEach(own.db, open, planParts(own, parts.length), own),
  );
  const results = zip(parts, outcomes).flatMap(([part, outcome]): readonly Positioned<Result>[] => {
    if ("result" in outcome) return outcome.result;
    const { problem } = outcome;
    if (isOnePart) throw problem;
    const refused = part.bins
      .flatMap((bin) => bin.entries)
      .map((entry) => ({ ...failing(entry, problem.message), position: entry.position }));
    return [...refused, ...part.failures].map((failure) => ({ ...failure, problem }));
  });
  return inOrder(results);
}

type Result = QueuedCorrection | RecountFailure;

/** Entries of a call that are stored together, and those among them that name nothing. */
interface Part {
  readonly bins: readonly BinEntries[];
  readonly failures: readonly Positioned<RecountFailure>[];
}

/**
 * A part for each bin as the entries name it. A retry, for which a name may stand for nothing any more, has
 * the same parts at the same positions, as receipts need.
 */
function partsByBin(entries: readonly ReadEntry[], { bins, failures }: Part): readonly Part[] {
  const names = entries.map(({ account_id, sku, location, bin }) =>
    JSON.stringify([account_id, sku, location, bin]),
  );
  const isOf =
    (name: string) =>
    ({ position }: { readonly position: number }) =>
      names[position] === name;
  return [...new Set(names)].map((name) => ({
    bins: bins.filter((one) => one.entries.slice(0, 1).some(isOf(name))),
    failures: failures.filter(isOf(name)),
  }));
}

/**
 * Plans the parts of a call: its jobs, and the writes that store them with the bins' new expected quantities.
 * While all `count` of the parts are open, nothing of them is stored, so anything that is wrong rejects them
 * all. Later, a wrong part fails alone. Ids are allocated once the bins are read, in the order of the call,
 * so they are higher than all ids that the plans are based on.
 */
const planParts =
  ({ db, actor: by }: Context, count: number) =>
  async (open: readonly Part[]): Promise<readonly Plan<AcceptedPart>[]> => {
    const find = await getItems(
      db,
      open.flatMap(({ bins }) => bins.map(({ lookup }) => lookup)),
    );
    const parts = open.map(({ bins, failures }) => ({
      bins: bins.map(({ lookup, entries }) => planBin(find(lookup), entries)),
      failures,
    }));
    const planned = parts.flatMap(({ bins }) => bins);
    const wrong = [...parts, ...planned].flatMap(({ failures }) => failures);
    if (wrong.length > 0 && open.length === count) throw recountFailed(inOrder(wrong));
    const corrections = inOrder(planned.flatMap((bin) => bin.corrections));
    const { firstId, at } = await allocate(db, jobList, deploymentOwner, corrections.length);
    const jobAt = new Map(
      corrections.map((one, index) => {
        return [one.position, { ...one, job_id: firstId + index, by, request_id: db.requestId }];
      }),
    );
    return parts.map(({ bins, failures }) => {
      const [refused] = inOrder([...failures, ...bins.flatMap((bin) => bin.failures)]);
      if (refused !== undefined) return { problem: invalid(refused.message) };
      const accepted = bins.map((bin) => {
        const jobs = bin.corrections.flatMap(({ position }) => jobAt.get(position) ?? []);
        return { jobs, writes: acceptanceOf(bin.found, jobs, at) };
      });
      return {
        result: accepted.flatMap(({ jobs }) => jobs),
        writes: accepted.flatMap(({ writes }) => writes),
      };
    });
  };

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
export function planBin(item: RawItem | undefined, entries: BinEntries["entries"]): BinPlan {
  const found = parsed(binContent, item);
  if (item !== undefined && pendingCorrections(item).length + entries.length > maxPending) {
    const message = `At most ${maxPending} corrections of one bin may be queued; send this one again later`;
    throw new Problem("too_many", message, { retryAfterSeconds: 60 });
  }
  const corrections: Positioned<{ readonly payload: Correction }>[] = [];
  const failures: Positioned<RecountFailure>[] = [];
  for (const [entry, decision] of zip(entries, decideCorrections(found?.expected ?? 0, entries))) {
    const { position, expected_quantity: _, ...asked } = entry;
    if ("refused" in decision) failures.push({ ...failing(entry, decision.refused), position });
    else corrections.push({ payload: { ...asked, ...decision }, position });
  }
  return { found, corrections, failures };
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
