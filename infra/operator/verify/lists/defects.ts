/** Possible defects of counters, checked again before they are reported. */
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import type { RepairPlan } from "../../list-repair/lost-blocks.ts";
import type { Deviation, Verification } from "../finding.ts";
import {
  type Inspection,
  manual,
  nothingWrong,
  type Repair,
  storing,
  verifySuspects,
} from "../inspection.ts";

/** A possible defect of counters, such as a missing node or a head that is behind. */
export interface Defect {
  readonly list: BlockList;
  readonly difference: Deviation;
  /** The writes that repair it; none if it no longer exists. Without a plan, a person does what is `next`. */
  readonly plan?: RepairPlan;
  readonly next?: string;
  /** The account whose claims on stock are unknown until the repair. */
  readonly hides?: number | undefined;
}

/** Checks the possible defects, and repairs them if requested. Returns those that remain. */
export async function settleDefects(
  verification: Verification,
  defects: readonly Defect[],
): Promise<readonly Defect[]> {
  const { repairer } = verification;
  const inspect = async ({ difference, plan, next = "" }: Defect): Promise<Inspection> => {
    if (plan === undefined) return { state: "wrong", faults: [manual(difference, next)] };
    const writes = await plan();
    if (writes === undefined) return "busy";
    if (writes.length === 0) return nothingWrong;
    return { state: "wrong", faults: [{ differences: [difference], repair: repairBy(plan) }] };
  };
  const suspects = defects.map((defect) => ({
    defect,
    title: defect.difference.record,
    inspect: () => inspect(defect),
  }));
  // One repair changes what the next one of the same owner depends on.
  const outcomes = await verifySuspects(verification, suspects, 1);
  return [...outcomes].flatMap(([{ defect }, outcome]) => {
    const isRepaired = outcome === "found" && repairer !== undefined && defect.plan !== undefined;
    return outcome !== "right" && !isRepaired ? [defect] : [];
  });
}

/** Plans again, because the repair before it may have changed what it depends on. */
const repairBy =
  (plan: RepairPlan): Repair =>
  async (db) => {
    const writes = await plan();
    if (writes === undefined) return "busy";
    return writes.length > 0 ? storing(writes)(db) : "unneeded";
  };

export const allocatesIds = ({ isFollower }: BlockList): boolean => isFollower === undefined;
