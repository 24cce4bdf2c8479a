/** Holds the counts of orders that wait for quality control against these orders. */

import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { mendable } from "../fault.ts";
import type { Verification } from "../finding.ts";
import { type Seen, verifyTwice } from "../twice.ts";
import { type PickedSums, readPickedCount } from "./picked-sums.ts";

const titleOf = ({ pk, sk }: Key): string => `count of picked orders ${pk} ${Number(sk)}`;

/** Verifies the counts that sums tell of. They are of all accounts, so one account alone tells nothing of them. */
export async function verifyPicked(verification: Verification, sums: PickedSums): Promise<void> {
  const { db, accountId } = verification;
  if (accountId !== undefined) return;
  const read = async (key: Key): Promise<Seen> => {
    const { actual, orders, correction } = await readPickedCount(db, key);
    const difference = { record: titleOf(key), what: "picked orders", actual, expected: orders.length };
    const faults = actual === orders.length ? [] : [mendable(difference, correction)];
    return { state: [actual, orders], faults };
  };
  await verifyTwice(verification, sums.suspects(), read, titleOf);
}
