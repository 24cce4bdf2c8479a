/** Possible defects of counters, checked again before they are reported. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import type { Repaired } from "../../../../shared/store/lists/repair/lost-blocks.ts";
import { type Deviation, reportUnclear, type Verification } from "../finding.ts";
import { unlessUnreadable, untilDecided } from "../inspection.ts";

/** A possible defect of counters, such as a missing node or a head that is behind. */
export interface CounterDefect {
  readonly difference: Deviation;
  /** Whether it no longer exists; undefined if writers left no time to check. */
  readonly isFixed: () => Promise<boolean | undefined>;
  readonly repair: () => Promise<Repaired>;
  /** The account whose claims on stock are unknown until the repair. */
  readonly hides?: number | undefined;
}

/** Checks the possible defects again, and repairs them if requested. Returns those that remain. */
export async function settleDefects(
  verification: Verification,
  defects: readonly CounterDefect[],
): Promise<readonly CounterDefect[]> {
  const { settleMs } = verification;
  const open: CounterDefect[] = [];
  const left = await untilDecided(
    verification,
    defects,
    async (some) => {
      await sleep(settleMs);
      const undecided: CounterDefect[] = [];
      for (const defect of some) {
        const outcome = await unlessUnreadable(() => settleDefect(verification, defect));
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

/** Checks one defect, and repairs it if requested. Others may have repaired it meanwhile. */
async function settleDefect(
  { repairer, report }: Verification,
  defect: CounterDefect,
): Promise<"settled" | "found" | "busy"> {
  const isFixed = await defect.isFixed();
  if (isFixed !== false) return isFixed === undefined ? "busy" : "settled";
  const repaired = repairer === undefined || (await defect.repair());
  if (repaired === undefined) return "busy";
  const state = repairer === undefined ? "found" : "repaired";
  if (repaired) report({ kind: "difference", ...defect.difference, state });
  return repairer === undefined ? "found" : "settled";
}

/** Whether a list allocates its own ids. */
export const allocatesIds = ({ ids }: BlockList): boolean => ids === undefined;
