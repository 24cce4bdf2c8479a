/** Holds steps that are underway against the records that wait for them. */

import { allSteps, readSteps, recordOfSteps, removalOfSteps } from "../../store/lost-steps.ts";
import { getItem } from "../../store/reads.ts";
import { underway } from "../../store/writes.ts";
import type { Verification } from "./finding.ts";
import { type Seen, verifyTwice } from "./twice.ts";

/**
 * Finds steps that no record waits for: they can't be carried out to their end. Answers their names, as stock is judged
 * only where no others are underway.
 */
export async function verifySteps(verification: Verification): Promise<ReadonlySet<string>> {
  const { db } = verification;
  const lost = new Set<string>();
  const titleOf = (name: string): string => {
    const { table, key } = recordOfSteps(name);
    return `steps of ${key.pk} ${key.sk} in ${table}`;
  };
  const read = async (name: string): Promise<Seen> => {
    const receipt = await readSteps(db, name);
    const item = await getItem(db, recordOfSteps(name));
    if (receipt === undefined || item?.[underway] === name) return { state: "right", faults: [] };
    lost.add(name);
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
  return lost;
}
