/** Compares the corrections that bins wait for with the jobs that apply them. */

import { binContentList } from "../../../../shared/catalog/products/product-lists.ts";
import { jobLookup } from "../../../../shared/jobs/job-repository.ts";
import {
  type BinContent,
  queuedAttribute,
  undoAcceptance,
} from "../../../../shared/stock/bins/bin-repository.ts";
import type { PendingCorrection } from "../../../../shared/stock/recount/recount.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import { comparison, type FirstPass } from "../comparator.ts";
import type { Verification } from "../finding.ts";
import { acceptable, type Inspection, nothingWrong, repairable, type Suspect } from "../inspection.ts";

/**
 * Corrections that bins note need a queued job: without one, their bin would expect them for good. The note
 * of a missing job is all that is left of the correction, so it is kept.
 */
export const correctionsCheck = (verification: Verification): FirstPass<Suspect> =>
  comparison({
    lists: [binContentList],
    ofListItem: ({ bin }) =>
      bin === undefined
        ? []
        : bin.waiting.map((waiting) => ({ suspect: suspectOf(verification, bin.content, waiting) })),
  });

function suspectOf({ db }: Verification, bin: BinContent, waiting: PendingCorrection) {
  const { job_id: job } = waiting;
  const title = `bin ${bin.location}/${bin.bin} of product ${bin.product_id} (${bin.sku})`;
  const inspect = async (): Promise<Inspection> => {
    const { add, remove, ...lookup } = undoAcceptance(bin, waiting);
    const note = queuedAttribute(job);
    const item = await getItem(db, lookup);
    const found = await getItem(db, jobLookup(job));
    if (item?.[sagaAttribute] !== undefined || found?.[sagaAttribute] !== undefined) return "busy";
    const status = found?.["status"];
    if (item?.[note] === undefined || status === "queued") return nothingWrong;
    const difference = {
      record: title,
      what: `the job ${job}, whose correction it waits for`,
      actual: found === undefined ? "not there" : `${status}`,
      expected: "queued",
    };
    const when = [{ attribute: note, equals: waiting.difference }] as const;
    const write = { kind: "change", ...lookup, add, remove, when } as const;
    const fault =
      found === undefined
        ? acceptable(difference, "restore the job from a backup, or count the bin", write)
        : repairable(difference, write);
    return { state: [item[note], status ?? null], faults: [fault] };
  };
  return { job, title, inspect };
}
