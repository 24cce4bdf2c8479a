/**
 * Verifies stored data, and repairs it: `operator data verify`. The deployment may be in use.
 *
 * Its words, in the order in which they come:
 * - survey (`survey.ts`): the first pass, which reads each table once for all checks.
 * - fact: what an item says of its subject, such as a part of a sum. A check states facts.
 * - comparator (`comparator.ts`): lets facts that agree cancel out, by fingerprints of their sums.
 * - suspect: the subject of facts that do not agree. A second pass names it.
 * - inspection (`inspection.ts`): reads a suspect twice, and finds its faults if nobody wrote in between.
 * - fault: differences that are repaired together, or left to a person. Each difference is a finding.
 * - figure (`stock/figures.ts`): what a stock record states, such as units on hand.
 * - books (`stock/books.ts`): what is stored of a product's stock; claims: what open records claim of it.
 *
 * What must be true of a record's items is stated beside its repository, and inserts use the same functions.
 *
 * `rules/` holds the checks of records, `lists/` those of counters and ids, `stock/` those of stock. Lists
 * come first, because the other checks find records by them, and stock comes last: it follows from orders and
 * replenishments.
 */

import { incompleteIndexes } from "../../data-model/later-indexes.ts";
import { comparison } from "./comparator.ts";
import type { Pace, Verification } from "./finding.ts";
import { verifySuspects } from "./inspection.ts";
import { verifyBlocks } from "./lists/blocks.ts";
import { verifyLists } from "./lists/lists.ts";
import { correctionsCheck } from "./rules/corrections.ts";
import { deliveriesCheck } from "./rules/deliveries.ts";
import { lookupsCheck } from "./rules/lookups.ts";
import { pickedCountsCheck, returnsCheck } from "./rules/orders.ts";
import { serialMarksCheck, serialsCheck } from "./rules/serials.ts";
import { webhooksCheck } from "./rules/webhooks.ts";
import { verifySagas } from "./sagas.ts";
import { scopeOf } from "./scope.ts";
import { runningTotalsCheck } from "./stock/running-totals.ts";
import { stockFacts, verifyStock } from "./stock/stock.ts";
import { nameSuspects, survey } from "./survey.ts";

export type { Finding, ReadPage, UnknownItems, Verification } from "./finding.ts";
export { verifySuspects } from "./inspection.ts";
export { type ProductBooks, readBooks, readClaims } from "./stock/books.ts";
export { stockFaults } from "./stock/faults.ts";
export { StockSums } from "./stock/figures.ts";

export { runningTotalsCheck } from "./stock/running-totals.ts";

const usual: Pace = { settleMs: 1_000, retryBudgetMs: 120_000 };

/**
 * Verifies one account, or all; what accounts share is verified only with all. Each finding is reported as
 * soon as it is known, and an unreadable item does not end the verification. With a `repairer`, findings that
 * a command can repair are repaired, unless there are items that this release does not know. It reads whole
 * tables and needs the right to scan.
 * @throws if the database does not respond
 */
export async function verify(asked: Omit<Verification, keyof Pace> & Partial<Pace>): Promise<void> {
  const verification = { ...usual, ...asked };
  const scope = await scopeOf(verification);
  const checks = [
    lookupsCheck(verification, await incompleteIndexes(verification.db)),
    pickedCountsCheck(verification),
    serialsCheck(verification, scope),
    serialMarksCheck(verification, scope),
    returnsCheck(verification),
    correctionsCheck(verification),
    webhooksCheck(verification),
    deliveriesCheck(verification, scope),
    runningTotalsCheck(verification, scope),
  ];
  const stock = comparison(stockFacts(scope));
  const found = await survey(verification, [...checks, stock], scope);
  for (const items of found.unknown) verification.report(items);
  // Unknown items may be the cause of a difference.
  if (found.unknown.length > 0 && verification.repairer !== undefined) return;
  const { hidden, added } = await verifyBlocks(verification, found);
  const misfiled = await verifyLists(verification, found, added);
  const compared = checks.map((check) => check.end());
  const comparedStock = stock.end();
  await nameSuspects(verification, [...compared, comparedStock], scope);
  for (const { suspects } of compared) await verifySuspects(verification, suspects());
  const orphanedSagas = await verifySagas(verification, scope);
  await verifyStock(verification, comparedStock.suspects(), { misfiled, hidden, orphanedSagas });
}
