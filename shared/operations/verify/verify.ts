/** Whether what is stored is consistent: the operator's check of a deployment, which may be in use. */

import { allMovementSums } from "../../data/movement-sums.ts";
import { allBlocks } from "../../store/lists/all-blocks.ts";
import { productList } from "../../store/lists/definitions.ts";
import { verifyBlocks } from "./blocks.ts";
import { verifyEntries } from "./entries.ts";
import type { Pace, Verification } from "./finding.ts";
import { verifyLists } from "./lists.ts";
import { verifyStock } from "./stock.ts";

export type { Difference, Finding, Verification } from "./finding.ts";

const usual: Pace = { settle: 1_000, patience: 120_000 };

/**
 * Verifies one account, or all: the tallies of lists, what finds records and what they refer to, and stock. Each finding is
 * reported as it is known. With a `repairer` what can be repaired is. It reads whole tables, and needs the right to scan.
 */
export async function verify(asked: Omit<Verification, keyof Pace> & Partial<Pace>): Promise<void> {
  const verification = { ...usual, ...asked };
  const { astray, unclear } = await verifyLists(verification);
  const unlisted = await verifyBlocks(verification);
  await verifyEntries(verification);
  const moved = await allMovementSums(verification.db);
  for (const accountId of await accountsOf(verification)) {
    const isUnclear = unclear.has(accountId) || unlisted.has(accountId);
    if (isUnclear)
      verification.report({ kind: "undecided", record: `stock of account ${accountId}`, why: "unclear" });
    else await verifyStock({ ...verification, accountId, trustsCells: !astray.has(accountId), moved });
  }
}

/** The accounts that have products, by rising id. */
async function accountsOf({ db, accountId }: Verification): Promise<readonly number[]> {
  if (accountId !== undefined) return [accountId];
  const owners = new Set<number>();
  for await (const { owner } of allBlocks(db, productList)) owners.add(Number(owner));
  return [...owners].toSorted((left, right) => left - right);
}
