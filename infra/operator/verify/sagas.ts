/** Holds steps that are underway against the records that wait for them. */

import { getItems } from "../../../shared/store/dynamodb/reads.ts";
import { sagaAttribute } from "../../../shared/store/dynamodb/writes.ts";
import { allSagas, readSaga, recordOfSaga, sagaRemoval } from "../../../shared/store/sagas/orphaned-sagas.ts";
import type { Verification } from "./finding.ts";
import { type Inspection, inspectTwice, nothingWrong, repairable } from "./inspection.ts";

/**
 * Finds steps for which an item does not wait any more: they can't be carried out to their end. Answers their names, as
 * stock is judged only where no others are underway.
 */
export async function verifySagas(verification: Verification): Promise<ReadonlySet<string>> {
  const { db } = verification;
  const titleOf = (name: string): string => {
    const { table, key } = recordOfSaga(name);
    return `steps of ${key.pk} ${key.sk} in ${table}`;
  };
  const read = async (name: string): Promise<Inspection> => {
    const steps = await readSaga(db, name);
    const find = await getItems(db, steps?.holds ?? []);
    const left = steps?.holds.filter((held) => find(held)?.[sagaAttribute] !== name) ?? [];
    if (steps === undefined || left.length === 0) return nothingWrong;
    const difference = {
      record: titleOf(name),
      what: "what waits for them",
      actual: `${left.length} items of ${steps.holds.length} do not wait`,
      expected: "all of them, until the last step",
    };
    const fault = repairable(difference, ...sagaRemoval(name, steps.receipt));
    return { state: [steps.receipt, left.map(({ key }) => key)], faults: [fault] };
  };
  return new Set(await inspectTwice(verification, await allSagas(db), read, titleOf));
}
