/** Holds steps that are underway against the records that wait for them. */

import { allSteps, readSteps, recordOfSteps, removalOfSteps } from "../../store/lost-steps.ts";
import { getItem } from "../../store/reads.ts";
import { underway } from "../../store/writes.ts";
import type { Verification } from "./finding.ts";
import { type Seen, verifyTwice } from "./twice.ts";

/** Steps that no record waits for can't be carried out to their end, and stock is never judged before they are gone. */
export async function verifySteps(verification: Verification): Promise<void> {
  const { db } = verification;
  const titleOf = (name: string): string => {
    const { table, key } = recordOfSteps(name);
    return `steps of ${key.pk} ${key.sk} in ${table}`;
  };
  const read = async (name: string): Promise<Seen> => {
    const receipt = await readSteps(db, name);
    const item = await getItem(db, recordOfSteps(name));
    if (receipt === undefined || item?.[underway] === name) return { state: "right", faults: [] };
    const difference = {
      record: titleOf(name),
      what: "the record that waits for them",
      is: "not there",
      ought: "there, until all of them are done",
    };
    const writes = removalOfSteps(name, receipt);
    return { state: receipt, faults: [{ differences: [difference], writes }] };
  };
  await verifyTwice(verification, await allSteps(db), read, titleOf);
}
