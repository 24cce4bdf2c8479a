/** What is wrong with a record, and what would mend it. */
import { isStored } from "../../store/lists/rebuild-steps.ts";
import type { Write } from "../../store/writes.ts";
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

/**
 * Reports faults, and repairs them where that is asked for. Answers false where someone changed a record meanwhile, or
 * was writing to it all the time. Then that fault and those behind it are neither reported nor repaired.
 */
export async function settleFaults(
  { db, repairer, report }: Pick<Verification, "db" | "repairer" | "report">,
  faults: readonly Fault[],
): Promise<boolean> {
  for (const { differences, writes } of faults) {
    const isRepairing = repairer !== undefined && writes !== undefined;
    if (isRepairing && !(await isStored(db, writes))) return false;
    const state = isRepairing ? "repaired" : writes === undefined ? "by_hand" : "found";
    for (const one of differences) report({ kind: "difference", ...one, state });
  }
  return true;
}
