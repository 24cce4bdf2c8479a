/** Compares sagas in progress with the items that they hold. */

import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../shared/store/dynamodb/writes.ts";
import { allSagas, readSaga, recordOfSaga, sagaRemoval } from "../../../shared/store/sagas/orphaned-sagas.ts";
import { restoreIt, type Verification } from "./finding.ts";
import { type Inspection, kept, nothingWrong, repairable, verifySuspects } from "./inspection.ts";
import type { Scope } from "./scope.ts";

/**
 * Finds sagas that lost an item which they hold: they can't be completed. A saga is kept if the item is gone,
 * because it says what was being stored. Returns their names, also those of other accounts that are not
 * reported, because stock is verified only while no other saga is in progress.
 */
export async function verifySagas(
  verification: Verification,
  { hasRecord }: Scope,
): Promise<ReadonlySet<string>> {
  const { db } = verification;
  const titleOf = (name: string): string => {
    const { table, key } = recordOfSaga(name);
    return `steps of ${key.pk} ${key.sk} in ${table}`;
  };
  const read = async (name: string): Promise<Inspection> => {
    const saga = await readSaga(db, name);
    const find = await getItems(db, saga?.holds ?? []);
    const left = saga?.holds.filter((held) => find(held)?.[sagaAttribute] !== name) ?? [];
    if (saga === undefined || left.length === 0) return nothingWrong;
    const difference = {
      record: titleOf(name),
      what: "items that wait for them",
      actual: saga.holds.length - left.length,
      expected: saga.holds.length,
    };
    const removal = sagaRemoval(name, saga.receipt);
    const isGone = left.some((held) => find(held) === undefined);
    const fault = isGone ? kept(difference, restoreIt, ...removal) : repairable(difference, ...removal);
    return { state: [saga.receipt, isGone, left.map(({ key }) => key)], faults: [fault] };
  };
  const names = await allSagas(db);
  const isOwn = (name: string): boolean => hasRecord(recordOfSaga(name).key);
  const silent = { ...verification, report: () => undefined, repairer: undefined };
  const outcomes = [
    ...(await verifySuspects(verification, names.filter(isOwn), read, titleOf)),
    ...(await verifySuspects(
      silent,
      names.filter((name) => !isOwn(name)),
      read,
      titleOf,
    )),
  ];
  return new Set(outcomes.filter(([, outcome]) => outcome === "found").map(([name]) => name));
}
