/** Compares sagas in progress with the items that they lock. */

import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../shared/store/dynamodb/writes.ts";
import { allSagas, readSaga, recordOfSaga, sagaRemoval } from "../../../shared/store/sagas/open-sagas.ts";
import { restoreIt, type Verification } from "./finding.ts";
import { acceptable, type Inspection, nothingWrong, repairable, verifySuspects } from "./inspection.ts";
import type { Scope } from "./scope.ts";

/**
 * Finds sagas that lost an item which they lock: they can't be completed. A saga is kept if the item is gone,
 * because it says what was being stored. Returns their names, also those of other accounts that are not
 * reported, because stock is verified only while no other saga is in progress.
 */
export async function verifySagas(
  verification: Verification,
  { hasRecord }: Scope,
): Promise<ReadonlySet<string>> {
  const { db } = verification;
  const suspectOf = (name: string) => {
    const { table, key: recordKey } = recordOfSaga(name);
    const record = `steps of ${recordKey.pk} ${recordKey.sk} in ${table}`;
    const inspect = async (): Promise<Inspection> => {
      const saga = await readSaga(db, name);
      const find = await getItems(db, saga?.locked ?? []);
      const left = saga?.locked.filter((one) => find(one)?.[sagaAttribute] !== name) ?? [];
      if (saga === undefined || left.length === 0) return nothingWrong;
      const difference = {
        record,
        what: "items that wait for them",
        actual: saga.locked.length - left.length,
        expected: saga.locked.length,
      };
      const removal = sagaRemoval(name, saga.runId);
      const isGone = left.some((one) => find(one) === undefined);
      const fault = isGone
        ? acceptable(difference, restoreIt, ...removal)
        : repairable(difference, ...removal);
      return { state: [saga.runId, isGone, left.map(({ key }) => key)], faults: [fault] };
    };
    return { name, isOwn: hasRecord(recordKey), title: record, inspect };
  };
  const suspects = (await allSagas(db)).map(suspectOf);
  const own = suspects.filter(({ isOwn }) => isOwn);
  const others = suspects.filter(({ isOwn }) => !isOwn);
  const silent = { ...verification, report: () => undefined, repairer: undefined };
  const outcomes = [...(await verifySuspects(verification, own)), ...(await verifySuspects(silent, others))];
  return new Set(outcomes.filter(([, outcome]) => outcome === "found").map(([{ name }]) => name));
}
