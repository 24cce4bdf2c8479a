/**
 * Holds the blocks that have records against what tallies know of blocks. They differ where tallies are restored from an
 * earlier moment than records. Without its node, nothing lists or counts a block's records. Where the counter or a head is
 * behind, ids are handed out again, and a block even to another account. So these two are mended first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { lists } from "../../data/lists.ts";
import { type BlockList, blocksAlong } from "../../store/lists/definitions.ts";
import {
  addNode,
  advanceCounter,
  advanceHead,
  hasNode,
  isBehind,
  isCounterBehind,
  isHeadBehind,
  type Mended,
  type NextId,
} from "../../store/lists/lost-blocks.ts";
import { rebuildBlock } from "../../store/lists/rebuild.ts";
import type { Block } from "../../store/lists/rebuild-steps.ts";
import {
  accountOf,
  type Difference,
  decideStock,
  isMeant,
  untilDecided,
  type Verification,
} from "./finding.ts";
import { lastJob } from "./last-job.ts";
import { type ListSums, type SummedBlock, unlikeBlocks } from "./list-sums.ts";
import type { Survey } from "./survey.ts";

/** Something that tallies may lack. */
interface Lack {
  readonly difference: Omit<Difference, "kind" | "state">;
  readonly isThere: () => Promise<boolean>;
  readonly mend: () => Promise<Mended>;
  /** The account whose claims are not known before it is mended. */
  readonly hides?: number | undefined;
}

/**
 * Verifies what tallies know of blocks, and mends it where that is asked for.
 * @returns the accounts of which what claims stock is not known
 */
export async function verifyBlocks(verification: Verification, survey: Survey): Promise<ReadonlySet<number>> {
  const { report } = verification;
  const hidden = new Set<number>();
  const ofLists = [...survey.lists.values()];
  for (const sums of ofLists)
    for (const { owner, block } of unlikeBlocks(sums, survey.tallies).foreign)
      report({
        kind: "difference",
        record: `list ${sums.list.name}, block ${block}`,
        what: "its records, which tallies give to another owner",
        is: `of ${owner}`,
        ought: "of the block's owner",
        state: "by_hand",
      });
  const stages = [
    ofLists.flatMap((sums) => [
      ...lackOfCounter(verification, survey, sums),
      ...lacksOfHeads(verification, survey, sums),
    ]),
    await lacksOfJobs(verification, survey),
    ofLists.flatMap((sums) => lacksOfNodes(verification, survey, sums)),
  ];
  for (const lacks of stages)
    for (const { hides } of await settleLacks(verification, lacks))
      if (hides !== undefined) hidden.add(hides);
  return hidden;
}

/** Looks again at what tallies may lack, and mends it. Answers what they still lack. */
async function settleLacks(verification: Verification, lacks: readonly Lack[]): Promise<readonly Lack[]> {
  const { repairer, report, settle } = verification;
  const open: Lack[] = [];
  const left = await untilDecided(
    verification,
    lacks,
    async (some) => {
      await sleep(settle);
      const undecided: Lack[] = [];
      for (const lack of some) {
        if (await lack.isThere()) continue;
        const mended = repairer === undefined ? false : await lack.mend();
        if (mended === undefined) undecided.push(lack);
        else report({ kind: "difference", ...lack.difference, state: mended ? "repaired" : "found" });
        if (repairer === undefined) open.push(lack);
      }
      return undecided;
    },
    ({ difference }) => difference.record,
  );
  return [...open, ...left];
}

/** A list that has ids of its own. */
const isLeader = ({ ids }: BlockList): boolean => ids === undefined;

function lackOfCounter(
  { db }: Verification,
  { tallies }: Survey,
  { list, blocks }: ListSums,
): readonly Lack[] {
  if (!isLeader(list)) return [];
  const recorded = [...blocks()].reduce((last, { block }) => Math.max(last, block), 0);
  const ought = Math.max(recorded, tallies.lastNamed(list));
  const is = tallies.lastLeased(list);
  return is >= ought ? [] : [counterLack(db, list, is, ought)];
}

const counterLack = (db: Verification["db"], list: BlockList, is: number, ought: number): Lack => ({
  difference: {
    record: `list ${list.name}`,
    what: "the last block that was leased, by its counter",
    is,
    ought: `${ought} or more`,
  },
  isThere: async () => !(await isCounterBehind(db, list, ought)),
  mend: () => advanceCounter(db, list, ought),
});

/** Where ids go on behind the last record of each owner. */
function lacksOfHeads(verification: Verification, { tallies }: Survey, sums: ListSums): readonly Lack[] {
  const { list } = sums;
  if (!isLeader(list)) return [];
  const places = new Map<string, NextId>();
  for (const { owner, block, lastId } of sums.blocks()) {
    const found = places.get(owner);
    if (found === undefined || found.block < block)
      places.set(owner, { block, next: (lastId % list.blockSize) + 1 });
  }
  return [...places]
    .filter(([owner, place]) => isBehind(tallies.headOf(list, owner), place))
    .map(([owner, place]) => headLack(verification.db, list, owner, place));
}

const headLack = (db: Verification["db"], list: BlockList, owner: string, place: NextId): Lack => ({
  difference: {
    record: `list ${list.name} of ${owner}`,
    what: "its next id",
    is: "one that a record has, or had",
    ought: `${place.block * list.blockSize + place.next} or more`,
  },
  isThere: async () => !(await isHeadBehind(db, list, owner, place)),
  mend: () => advanceHead(db, list, owner, place, new Date().toISOString()),
});

/** Jobs are not tallied, but their ids are handed out like those of lists. */
async function lacksOfJobs({ db, accountId }: Verification, { tallies }: Survey): Promise<readonly Lack[]> {
  if (accountId !== undefined) return [];
  const { list, owner, place } = await lastJob(db);
  if (place === undefined) return [];
  const counter = tallies.lastLeased(list);
  return [
    ...(counter >= place.block ? [] : [counterLack(db, list, counter, place.block)]),
    ...(isBehind(tallies.headOf(list, owner), place) ? [headLack(db, list, owner, place)] : []),
  ];
}

/** Blocks without a node: of records, and those that a block of another list brings along. */
function lacksOfNodes(verification: Verification, survey: Survey, sums: ListSums): readonly Lack[] {
  const { list } = sums;
  const { missing } = unlikeBlocks(sums, survey.tallies);
  const along = [...survey.tallies.blocksOf(list), ...missing].flatMap(({ owner, block }) =>
    blocksAlong(list, block).map((one) => ({ ...one, owner })),
  );
  const lost = along.filter(
    (one) =>
      !survey.tallies.has(one.list, one.block) &&
      survey.lists.get(one.list.name)?.at(one.block) === undefined,
  );
  return [
    ...missing.map((block) => nodeLack(verification, list, block)),
    ...lost.map(({ list: other, ...block }) => nodeLack(verification, other, block)),
  ].filter((lack) => lack !== undefined);
}

function nodeLack(
  { db, accountId, settle }: Verification,
  list: BlockList,
  place: Block & Partial<SummedBlock>,
): Lack | undefined {
  const { owner, block, firstDay } = place;
  const listed = lists.get(list.name);
  if (listed === undefined || !isMeant({ accountId }, accountOf(owner))) return undefined;
  const leasedAt = isLeader(list) && firstDay !== undefined ? startOf(firstDay) : undefined;
  return {
    difference: {
      record: `list ${list.name}, block ${block} of ${owner}`,
      what: "its tally, without which nothing lists or counts its records",
      is: "not there",
      ought: "there, since its first record was created",
    },
    isThere: () => hasNode(db, list, { owner, block }),
    mend: async () => {
      const added = await addNode(db, list, { owner, block }, leasedAt);
      if (added === undefined) return undefined;
      const { found } = await rebuildBlock(db, listed, { owner, block }, { settle, patience });
      return found === undefined ? undefined : true;
    },
    hides: decideStock.has(list.name) && firstDay !== undefined ? accountOf(owner) : undefined,
  };
}

/** How long a block is counted anew before the others come first, in milliseconds. */
const patience = 5_000;

/** A day's beginning (ISO 8601): a block was leased then or later, and its first record was created after that. */
const startOf = (day: number): string => new Date(day * 86_400_000).toISOString();
