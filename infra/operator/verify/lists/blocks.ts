/**
 * Holds the blocks that have records against what tallies know of blocks. They differ where tallies are
 * restored from an earlier moment than records. Without its node, nothing lists or counts a block's records.
 * Where the counter or a head is behind, ids are handed out again, and a block even to another account. So
 * these two are mended first.
 */
import type { BlockList } from "../../../../shared/store/lists/definitions.ts";
import {
  advanceCounter,
  advanceHead,
  isBehind,
  isCounterBehind,
  isHeadBehind,
  type NextId,
} from "../../../../shared/store/lists/repair/lost-blocks.ts";
import { reportUnclear, type Verification } from "../finding.ts";
import { unlessUnreadable } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { isLeader, type Lack, settleLacks } from "./lacks.ts";
import { lastJob } from "./last-job.ts";
import { type ListSums, unlikeBlocks } from "./list-sums.ts";
import { lacksOfNodes, lacksOfParents, unevenNodes } from "./lost-nodes.ts";

/**
 * Verifies what tallies know of blocks, and mends it where that is asked for.
 * @returns the accounts of which what claims stock is not known
 */
export async function verifyBlocks(verification: Verification, survey: Survey): Promise<ReadonlySet<number>> {
  const hidden = new Set<number>();
  const ofLists = [...survey.lists.values()];
  for (const sums of ofLists) reportForeign(verification, survey, sums);
  const hide = ({ hides }: Lack): void => {
    if (hides !== undefined) hidden.add(hides);
  };
  const settled = async (lacks: readonly Lack[]): Promise<readonly Lack[]> => {
    const open = await settleLacks(verification, lacks);
    open.forEach(hide);
    return open;
  };
  await settled(
    ofLists.flatMap((sums) => [
      ...lackOfCounter(verification, survey, sums),
      ...lacksOfHeads(verification, survey, sums),
    ]),
  );
  await settled(await lacksOfJobs(verification, survey));
  /**
   * The lists of which upper nodes still lack: a node that is added below those would lie in a wrong place.
   */
  const torn = new Set<BlockList>();
  for (const sums of ofLists) {
    const { lacks, areLeft } = lacksOfParents(verification, survey, sums);
    const open = await settled(lacks);
    if (verification.repairer !== undefined && (areLeft || open.length > 0)) torn.add(sums.list);
  }
  const nodes = ofLists.flatMap((sums) => lacksOfNodes(verification, survey, sums));
  for (const lack of nodes.filter(({ list }) => torn.has(list))) {
    reportUnclear(verification, lack.difference.record);
    hide(lack);
  }
  await settled(nodes.filter(({ list }) => !torn.has(list)));
  await settled(ofLists.flatMap(({ list }) => unevenNodes(verification, survey, list)));
  return hidden;
}

function reportForeign({ report }: Verification, { counters }: Survey, sums: ListSums): void {
  for (const { owner, block } of unlikeBlocks(sums, counters).foreign)
    report({
      kind: "difference",
      record: `list ${sums.list.name}, block ${block}`,
      what: "its records, which tallies give to another owner",
      actual: `of ${owner}`,
      expected: "of the block's owner",
      state: "by_hand",
    });
}

function lackOfCounter(
  { db }: Verification,
  { counters }: Survey,
  { list, blocks }: ListSums,
): readonly Lack[] {
  if (!isLeader(list)) return [];
  const recorded = [...blocks()].reduce((last, { block }) => Math.max(last, block), 0);
  const expected = Math.max(recorded, counters.lastNamed(list));
  const actual = counters.lastLeased(list);
  return actual >= expected ? [] : [counterLack(db, list, actual, expected)];
}

const counterLack = (db: Verification["db"], list: BlockList, actual: number, expected: number): Lack => ({
  difference: {
    record: `list ${list.name}`,
    what: "the last block that was leased, by its counter",
    actual,
    expected: `${expected} or more`,
  },
  isThere: async () => !(await isCounterBehind(db, list, expected)),
  mend: () => advanceCounter(db, list, expected),
});

/** Where ids go on behind the last record of each owner. */
function lacksOfHeads(verification: Verification, { counters }: Survey, sums: ListSums): readonly Lack[] {
  const { list } = sums;
  if (!isLeader(list)) return [];
  const places = new Map<string, NextId>();
  for (const { owner, block, lastId } of sums.blocks()) {
    const found = places.get(owner);
    if (found === undefined || found.block < block)
      places.set(owner, { block, next: (lastId % list.blockSize) + 1 });
  }
  return [...places]
    .filter(([owner, place]) => isBehind(counters.headOf(list, owner), place))
    .map(([owner, place]) => headLack(verification.db, list, owner, place));
}

const headLack = (db: Verification["db"], list: BlockList, owner: string, place: NextId): Lack => ({
  difference: {
    record: `list ${list.name} of ${owner}`,
    what: "its next id",
    actual: "one that a record has, or had",
    expected: `${place.block * list.blockSize + place.next} or more`,
  },
  isThere: async () => !(await isHeadBehind(db, list, owner, place)),
  mend: () => advanceHead(db, list, owner, place, new Date().toISOString()),
});

/** Jobs are not tallied, but their ids are handed out like those of lists. */
async function lacksOfJobs(verification: Verification, { counters }: Survey): Promise<readonly Lack[]> {
  const { db, accountId, emptyBlocks } = verification;
  if (accountId !== undefined) return [];
  const last = await unlessUnreadable(() => lastJob(db, emptyBlocks));
  if (last === "unclear") reportUnclear(verification, "ids of jobs");
  if (last === "unclear" || last.place === undefined) return [];
  const { list, owner, head, place } = last;
  const counter = counters.lastLeased(list);
  return [
    ...(counter >= place.block ? [] : [counterLack(db, list, counter, place.block)]),
    ...(isBehind(head, place) ? [headLack(db, list, owner, place)] : []),
  ];
}
