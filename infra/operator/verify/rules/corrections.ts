/** Compares the corrections that bins wait for with the jobs that apply them. */

import { binContentList } from "../../../../shared/catalog/products/product-lists.ts";
import { jobLookup } from "../../../../shared/jobs/job-repository.ts";
import { expectationOf, queuedAttribute } from "../../../../shared/stock/bins/bin-repository.ts";
import type { PendingCorrection } from "../../../../shared/stock/recount/recount.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../../shared/store/dynamodb/writes.ts";
import type { Verification } from "../finding.ts";
import { type Check, checkOf, type Inspection, kept, nothingWrong, repairable } from "../inspection.ts";
import type { BookedBin } from "../stock/books.ts";

/** A correction that a bin notes as accepted and not finished. */
export interface WaitingCorrection {
  readonly bin: BookedBin["content"];
  readonly waiting: PendingCorrection;
}

const titleOf = ({ bin: { location, bin, product_id, sku } }: WaitingCorrection): string =>
  `bin ${location}/${bin} of product ${product_id} (${sku})`;

/**
 * Corrections that bins note need a queued job: without one, their bin would expect them for good. The note
 * of a missing job is all that is left of the correction, so it is kept.
 */
export function correctionsCheck(verification: Verification): Check {
  const { db } = verification;
  const inspect = async (correction: WaitingCorrection): Promise<Inspection> => {
    const { bin, waiting } = correction;
    const { add, remove, ...lookup } = expectationOf(bin, waiting);
    const note = queuedAttribute(waiting.job_id);
    const item = await getItem(db, lookup);
    const job = await getItem(db, jobLookup(waiting.job_id));
    if (item?.[sagaAttribute] !== undefined || job?.[sagaAttribute] !== undefined) return "busy";
    const status = job?.["status"];
    if (item?.[note] === undefined || status === "queued") return nothingWrong;
    const difference = {
      record: titleOf(correction),
      what: `the job ${waiting.job_id}, whose correction it waits for`,
      actual: job === undefined ? "not there" : `${status}`,
      expected: "queued",
    };
    const when = [{ attribute: note, equals: waiting.difference }] as const;
    const write = { kind: "change", ...lookup, add, remove, when } as const;
    const fault =
      job === undefined
        ? kept(difference, "restore the job from a backup, or count the bin", write)
        : repairable(difference, write);
    return { state: [item[note], status ?? null], faults: [fault] };
  };
  return checkOf<WaitingCorrection>(verification, {
    lists: [binContentList],
    ofListItem: ({ bin }) =>
      bin === undefined ? [] : bin.waiting.map((waiting) => ({ suspect: { bin: bin.content, waiting } })),
    inspect,
    titleOf,
  });
}
