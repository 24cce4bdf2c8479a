/**
 * Removes a smoke test's account and everything that the test created. No command removes a customer's
 * account: the account must have an id from the reserved range and the attribute that only a smoke test sets.
 * Nothing but the test may write on behalf of the account in the meantime.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { accountLookup } from "../../../shared/accounts/account-repository.ts";
import { inBatches } from "../../../shared/common/concurrency.ts";
import { jobLookup } from "../../../shared/jobs/job-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem, getItems, type Lookup } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { removalOf } from "../../../shared/store/dynamodb/writes.ts";
import { Usage } from "../cli/outcome.ts";
import { itemsOfAccount } from "./account-items.ts";
import { returnMisassigned } from "./misassigned-orders.ts";
import { isMarked, isTestAccountId, testAccountIds } from "./test-account.ts";

const batchSize = 50;

/** Schedules and the publisher finish within this time, in addition to the publisher's batching window. */
const settlingMs = 3_000;

/** The pause between two passes. @param eventsWindow the setting, in seconds */
export const quietMs = (eventsWindow: number): number => settlingMs + 1000 * eventsWindow;

/** Each pass deletes what it finds. A later pass finds what was being published during an earlier one. */
const maxPasses = 10;

export interface Removal {
  readonly accountId: number;
  /** The ids of the account's jobs, which do not name their account. */
  readonly jobs: readonly number[];
  /** The setting `eventsWindow`: the seconds for which the publisher batches changes. */
  readonly eventsWindow: number;
  readonly note: (line: string) => void;
}

/**
 * Removes the account, its records, and the user and bin that are named after it. Misassigned orders of other
 * accounts are reverted to Pending first. The account itself is deleted last, so that an interrupted removal
 * can be repeated. Sessions, responses to retries and sign-in attempts expire within days.
 * @returns whether the account existed
 * @throws Usage if a smoke test did not create the account
 */
export async function removeTestAccount(
  db: Database,
  { accountId, jobs, eventsWindow, note }: Removal,
): Promise<boolean> {
  if (!isTestAccountId(accountId))
    throw new Usage(
      `Account ${accountId} is not a smoke-test account: their ids are ${testAccountIds.first} to ${testAccountIds.last}`,
    );
  const account = await getItem(db, accountLookup(accountId));
  if (account === undefined) return false;
  if (!isMarked(account))
    throw new Usage(`Account ${accountId} is not a smoke-test account: no smoke test created it`);
  if (db.dryRun !== undefined) {
    note(`Items that would be deleted: ${(await itemsOfAccount(db, accountId)).length} or more.`);
    return true;
  }
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    await returnMisassigned(db, accountId, note);
    const deleted = await deleteItems(db, [...jobs.map(jobLookup), ...(await itemsOfAccount(db, accountId))]);
    // If the first pass finds nothing, an earlier removal may just have ended while the publisher is still
    // running.
    if (deleted === 0 && pass > 1) {
      await deleteItems(db, [accountLookup(accountId)]);
      return true;
    }
    await sleep(quietMs(eventsWindow));
  }
  throw new Error(
    `account ${accountId} was written to during its removal; run ${removalCommand(accountId)} again`,
  );
}

export const removalCommand = (accountId: number): string => `operator smoke --remove ${accountId}`;

/** Deletes the items that exist, in this order. @returns their number */
async function deleteItems(db: Database, lookups: readonly Lookup[]): Promise<number> {
  const find = await getItems(db, lookups);
  const found = lookups.filter((lookup) => find(lookup) !== undefined);
  for (const batch of inBatches(found, batchSize))
    await transact(
      db,
      batch.map((lookup) => removalOf(lookup)),
    );
  return found.length;
}
