/** Holds the corrections that bins wait for against the jobs that are to apply them. */

import { jobLookup } from "../../../../shared/jobs/job-repository.ts";
import { expectationOf, queuedAttribute } from "../../../../shared/stock/bins/bin-repository.ts";
import type { PendingCorrection } from "../../../../shared/stock/recount/recount.ts";
import { getItem } from "../../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute, stale } from "../../../../shared/store/dynamodb/writes.ts";
import { mendable } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { right, type Seen, verifyTwice } from "../twice.ts";
import type { BookedBin } from "./stock-books.ts";

/** A correction that a bin notes as accepted and not finished. */
export interface WaitingCorrection {
  readonly bin: BookedBin["content"];
  readonly waiting: PendingCorrection;
}

const titleOf = ({ bin: { location, bin, product_id, sku } }: WaitingCorrection): string =>
  `bin ${location}/${bin} of product ${product_id} (${sku})`;

/** Verifies that corrections still have a job. Without one, their bin would expect them for good. */
export async function verifyCorrections(
  verification: Verification,
  corrections: readonly WaitingCorrection[],
): Promise<void> {
  const { db } = verification;
  const read = async (correction: WaitingCorrection): Promise<Seen> => {
    const { bin, waiting } = correction;
    const { add, remove, ...lookup } = expectationOf(bin, waiting);
    const note = queuedAttribute(waiting.job_id);
    const item = await getItem(db, lookup);
    const job = await getItem(db, jobLookup(waiting.job_id));
    if (item?.[sagaAttribute] !== undefined || job?.[sagaAttribute] !== undefined) return "busy";
    const status = job?.["status"];
    if (item?.[note] === undefined || status === "queued") return right;
    const difference = {
      record: titleOf(correction),
      what: `the job ${waiting.job_id}, whose correction it waits for`,
      actual: job === undefined ? "not there" : `${status}`,
      expected: "queued",
    };
    const when = [{ attribute: note, equals: waiting.difference }] as const;
    const write = { kind: "change", ...lookup, add, remove, when, rejection: stale } as const;
    return { state: [item[note], status ?? null], faults: [mendable(difference, write)] };
  };
  await verifyTwice(verification, corrections, read, titleOf);
}
