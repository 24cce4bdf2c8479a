/** Possible defects of counters, checked again before they are reported. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import type { RepairPlan } from "../../../../shared/store/lists/repair/lost-blocks.ts";
import { isStored } from "../../../../shared/store/lists/repair/rebuild-context.ts";
import { type Deviation, reportUnclear, type Verification } from "../finding.ts";
import { unlessUnreadable, untilDecided } from "../inspection.ts";

/** A possible defect of counters, such as a missing node or a head that is behind. */
export interface CounterDefect {
  readonly difference: Deviation;
  readonly plan: RepairPlan;
  /** What is left to do once the plan is stored. Returns false if writers left no time for it. */
  readonly complete?: () => Promise<boolean>;
  /** The account whose claims on stock are unknown until the repair. */
  readonly hides?: number | undefined;
}

/** Checks the possible defects again, and repairs them if requested. Returns those that remain. */
export async function settleDefects(
  verification: Verification,
  defects: readonly CounterDefect[],
): Promise<readonly CounterDefect[]> {
  const open: CounterDefect[] = [];
  const begun = new Set<CounterDefect>();
  const left = await untilDecided(
    verification,
    defects,
    async (some) => {
      await sleep(verification.settleMs);
      const undecided: CounterDefect[] = [];
      for (const defect of some) {
        const outcome = await unlessUnreadable(() => settleDefect(verification, defect, begun));
        if (outcome === "busy") undecided.push(defect);
        if (outcome === "unclear") reportUnclear(verification, defect.difference.record);
        if (outcome === "unclear" || outcome === "found") open.push(defect);
      }
      return undecided;
    },
    ({ difference }) => difference.record,
  );
  return [...open, ...left];
}

/**
 * Checks one defect, and repairs it if requested. Others may have repaired it meanwhile. A defect is `begun`
 * once its plan is stored.
 */
async function settleDefect(
  { db, repairer, report }: Verification,
  defect: CounterDefect,
  begun: Set<CounterDefect>,
): Promise<"settled" | "found" | "busy"> {
  const { difference, plan, complete } = defect;
  if (!begun.has(defect)) {
    const writes = await plan();
    if (writes === undefined) return "busy";
    if (writes.length === 0) return "settled";
    if (repairer === undefined) {
      report({ kind: "difference", ...difference, state: "found" });
      return "found";
    }
    if (!(await isStored(db, writes))) return "busy";
    begun.add(defect);
  }
  if ((await complete?.()) === false) return "busy";
  report({ kind: "difference", ...difference, state: "repaired" });
  return "settled";
}

/** Whether a list allocates its own ids. */
export const allocatesIds = ({ ids }: BlockList): boolean => ids === undefined;
