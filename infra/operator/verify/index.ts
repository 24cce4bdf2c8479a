/** Whether what is stored is consistent: the operator's check of a deployment, which may be in use. */

import type { Pace, Verification } from "./finding.ts";
import { verifyBlocks } from "./lists/blocks.ts";
import { verifyLists } from "./lists/lists.ts";
import { verifyEntries } from "./lookups/lookups.ts";
import { verifyPicked } from "./orders/picked.ts";
import { verifyReturns } from "./orders/returns.ts";
import { verifySagas } from "./sagas.ts";
import { verifySerialMarks } from "./serials/serial-marks.ts";
import { verifySerials } from "./serials/serials.ts";
import { verifyCorrections } from "./stock/corrections.ts";
import { verifyStock } from "./stock/stock.ts";
import { survey } from "./survey.ts";
import { verifyWebhooks } from "./webhooks/webhooks.ts";

export type { Finding, ReadPage, UnknownItems, Verification } from "./finding.ts";
export { lastJob } from "./lists/last-job.ts";
export { ClaimSums } from "./stock/balance.ts";
export { readClaims } from "./stock/open-claims.ts";
export { type ProductBooks, readBooks, readBooksState } from "./stock/stock-books.ts";
export { stockFaults } from "./stock/stock-faults.ts";

const usual: Pace = { settle: 1_000, retryBudgetMs: 120_000 };

/**
 * Verifies one account, or all: the tallies of lists, and the ids that come next. What finds records, and what they refer to.
 * Counts of picked orders, serials, returns, webhooks and their deliveries, corrections, sagas in progress, and stock. What all
 * accounts share is verified only with all. Each finding is reported as it is known; an item that can't be read ends nothing.
 * With a `repairer` what can be repaired is, unless there are items that this release does not know. It reads whole tables, and needs the right to scan.
 * @throws where the database does not answer
 */
export async function verify(asked: Omit<Verification, keyof Pace> & Partial<Pace>): Promise<void> {
  const verification = { ...usual, ...asked };
  const found = await survey(verification);
  for (const items of found.unknown) verification.report(items);
  // What is unknown may be what a difference is due to.
  if (found.unknown.length > 0 && verification.repairer !== undefined) return;
  const hidden = await verifyBlocks(verification, found);
  const astray = await verifyLists(verification, found);
  await verifyEntries(verification, found.entries);
  await verifyPicked(verification, found.picked);
  await verifySerials(verification, found.serials);
  await verifySerialMarks(verification, found.serials);
  await verifyReturns(verification, found.returns);
  await verifyWebhooks(verification);
  await verifyCorrections(verification, found.corrections);
  const orphanedSagas = await verifySagas(verification);
  const unclear = new Set([...found.unclear, ...hidden]);
  await verifyStock(verification, found, { astray, unclear, orphanedSagas });
}
