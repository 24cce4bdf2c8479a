/** What is wrong with a record, and what would mend it. */

import type { Write } from "../../../shared/store/dynamodb/writes.ts";
import { isStored } from "../../../shared/store/lists/repair/rebuild-context.ts";
import type { Deviation, Verification } from "./finding.ts";

/** Differences that one transaction mends; without `writes`, no command can mend them. */
export interface Fault {
  readonly differences: readonly Deviation[];
  readonly writes?: readonly Write[];
}

/** One difference, and what mends it. */
export const mendable = (difference: Deviation, ...writes: readonly Write[]): Fault => ({
  differences: [difference],
  writes,
});

/** One difference that no command can mend. */
export const byHand = (difference: Deviation): Fault => ({ differences: [difference] });

const isMendable = ({ writes }: Fault): boolean => writes !== undefined;

/**
 * Reports faults, and repairs them where that is asked for. Answers false where someone changed a record meanwhile, or
 * was writing to it all the time. Then that fault and those behind it are neither reported nor repaired. Faults for people come
 * last, so that none of them is reported again with the next try.
 */
export async function settleFaults(
  { db, repairer, report }: Pick<Verification, "db" | "repairer" | "report">,
  faults: readonly Fault[],
): Promise<boolean> {
  const [mended, left] = [faults.filter(isMendable), faults.filter((fault) => !isMendable(fault))];
  for (const { differences, writes } of [...mended, ...left]) {
    const isRepairing = repairer !== undefined && writes !== undefined;
    if (isRepairing && !(await isStored(db, writes))) return false;
    const state = isRepairing ? "repaired" : writes === undefined ? "by_hand" : "found";
    for (const one of differences) report({ kind: "difference", ...one, state });
  }
  return true;
}
