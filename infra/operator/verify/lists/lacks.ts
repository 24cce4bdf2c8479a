/** What tallies may lack, looked at again before it counts. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import type { Repaired } from "../../../../shared/store/lists/repair/lost-blocks.ts";
import { type Deviation, reportUnclear, type Verification } from "../finding.ts";
import { unlessUnreadable, untilDecided } from "../inspection.ts";

/** Something that tallies may lack. */
export interface Lack {
  readonly difference: Deviation;
  /** Whether it does not lack; undefined where writers left no time to tell. */
  readonly isThere: () => Promise<boolean | undefined>;
  readonly mend: () => Promise<Repaired>;
  /** The account whose claims are not known before it is mended. */
  readonly hides?: number | undefined;
}

/** Looks again at what tallies may lack, and mends it. Answers what they still lack. */
export async function settleLacks(
  verification: Verification,
  lacks: readonly Lack[],
): Promise<readonly Lack[]> {
  const { settleMs } = verification;
  const open: Lack[] = [];
  const left = await untilDecided(
    verification,
    lacks,
    async (some) => {
      await sleep(settleMs);
      const undecided: Lack[] = [];
      for (const lack of some) {
        const outcome = await unlessUnreadable(() => settleLack(verification, lack));
        if (outcome === "busy") undecided.push(lack);
        if (outcome === "unclear") reportUnclear(verification, lack.difference.record);
        if (outcome === "unclear" || outcome === "found") open.push(lack);
      }
      return undecided;
    },
    ({ difference }) => difference.record,
  );
  return [...open, ...left];
}

/**
 * Looks whether something lacks by now, and mends it where that is asked for. Others may have mended it
 * meanwhile.
 */
async function settleLack(
  { repairer, report }: Verification,
  lack: Lack,
): Promise<"settled" | "found" | "busy"> {
  const isThere = await lack.isThere();
  if (isThere !== false) return isThere === undefined ? "busy" : "settled";
  const mended = repairer === undefined || (await lack.mend());
  if (mended === undefined) return "busy";
  const state = repairer === undefined ? "found" : "repaired";
  if (mended) report({ kind: "difference", ...lack.difference, state });
  return repairer === undefined ? "found" : "settled";
}

/** A list that has ids of its own. */
export const isLeader = ({ ids }: BlockList): boolean => ids === undefined;
