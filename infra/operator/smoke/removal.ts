/**
 * The removal of a throw-away account with all that it made. No command removes a customer's account: this
 * asks for the mark that a smoke test sets, and relies on what a smoke test makes and on nothing else being
 * written in the account's name meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { accountLookup } from "../../../shared/accounts/account-repository.ts";
import { jobLookup } from "../../../shared/jobs/job-repository.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItem, getItems, type Lookup } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { stale } from "../../../shared/store/dynamodb/writes.ts";
import { Usage } from "../cli/failures.ts";
import { itemsOfAccount } from "./account-items.ts";
import { giveBackStrays } from "./strays.ts";
import { isMarked, isThrowAway, throwAwayIds } from "./throw-away.ts";

/** Items that are deleted together. */
const batchSize = 50;

/**
 * Milliseconds after which nothing that was in progress writes any more, beside the window in which the
 * publisher gathers changes: schedules and the publisher take less.
 */
const quietPeriod = 3_000;

/** Milliseconds between two looks for the account's items, by the setting `eventsWindow`. */
export const quietMs = (eventsWindow: number): number => quietPeriod + 1000 * eventsWindow;

/**
 * Times that the account's items are looked for. What was being published at the first time is found at a
 * later one.
 */
const maxRounds = 10;

/** What is to be removed, and what is known of it. */
export interface Removal {
  readonly accountId: number;
  /** The account's jobs, which do not say whose they are. */
  readonly jobs: readonly number[];
  /** Seconds for which the publisher gathers changes: the setting `eventsWindow`. */
  readonly eventsWindow: number;
  readonly note: (line: string) => void;
}

/**
 * Removes the account of a smoke test, its records, and the user and the bin that are named after it. Orders
 * of other accounts that its picker was given become Pending again before. The account itself goes last, so
 * this can be run again. Sessions, answers of retries and sign-in attempts expire by themselves within days.
 * @returns whether there was such an account
 * @throws Usage if no smoke test made it
 */
export async function removeThrowAway(
  db: Database,
  { accountId, jobs, eventsWindow, note }: Removal,
): Promise<boolean> {
  if (!isThrowAway(accountId))
    throw new Usage(
      `Account ${accountId} is not a smoke-test account: their ids are ${throwAwayIds.first} to ${throwAwayIds.last}`,
    );
  const account = await getItem(db, accountLookup(accountId));
  if (account === undefined) return false;
  if (!isMarked(account))
    throw new Usage(`Account ${accountId} is not a smoke-test account: no smoke test made it`);
  for (let round = 1; round <= maxRounds; round += 1) {
    await giveBackStrays(db, accountId, note);
    const removed = await removeAll(db, [...jobs.map(jobLookup), ...(await itemsOfAccount(db, accountId))]);
    // Nothing at first may mean that an earlier removal ended just now, and the publisher has not.
    if (removed === 0 && round > 1) {
      await removeAll(db, [accountLookup(accountId)]);
      return true;
    }
    await sleep(quietMs(eventsWindow));
  }
  throw new Error(
    `account ${accountId} is written to while it is removed; run ${removalCommand(accountId)} again`,
  );
}

/** The command that removes an account by hand. */
export const removalCommand = (accountId: number): string => `operator smoke --remove ${accountId}`;

/** Deletes those of the items that there are, in this order. @returns how many they are */
async function removeAll(db: Database, lookups: readonly Lookup[]): Promise<number> {
  const find = await getItems(db, lookups);
  const found = lookups.filter((lookup) => find(lookup) !== undefined);
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize);
    await transact(
      db,
      batch.map((lookup) => ({ kind: "removal", ...lookup, when: [], rejection: stale })),
    );
  }
  return found.length;
}
