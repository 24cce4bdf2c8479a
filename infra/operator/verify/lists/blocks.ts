/**
 * Compares the blocks that have records with the blocks that counters know. They differ if the counters are
 * restored from an earlier point in time than the records. Without its node, a block's records are neither
 * listed nor counted. If the counter of blocks or a head is behind, ids are allocated again, and a block even
 * to another account, so these are repaired first.
 */
import type { BlockList } from "../../../../shared/store/lists/block-list.ts";
import { advanceCounter, advanceHead, isBehind, type NextId } from "../../list-repair/lost-blocks.ts";
import { reportUnclear, type Verification } from "../finding.ts";
import type { Survey } from "../survey.ts";
import { allocatesIds, type Defect, settleDefects } from "./defects.ts";
import type { ListSums } from "./list-sums.ts";
import { miscountedNodes, missingNodes, missingParents } from "./lost-nodes.ts";

/**
 * Verifies what counters know of blocks, and repairs it if requested.
 * @returns `hidden`: the accounts whose claims on stock are unknown; `added`: blocks that have a node again,
 * which does not count their records yet
 */
export async function verifyBlocks(verification: Verification, survey: Survey) {
  const { accountId, repairer } = verification;
  const hidden = new Set<number>();
  const ofLists = [...survey.lists.values()];
  const hide = ({ hides }: Defect): void => {
    if (hides !== undefined) hidden.add(hides);
  };
  const settled = async (defects: readonly Defect[]): Promise<readonly Defect[]> => {
    const open = await settleDefects(verification, defects);
    open.forEach(hide);
    return open;
  };
  await settled([
    ...ofLists.flatMap((sums) => foreignBlocks(survey, sums)),
    ...[...ofLists, survey.jobs].flatMap((sums) => [
      ...counterBehind(verification, survey, sums),
      ...headsBehind(verification, survey, sums),
    ]),
  ]);
  /** The lists that still miss upper nodes: a node added below those would be in a wrong place. */
  const incomplete = new Set<BlockList>();
  for (const sums of ofLists) {
    const lost = missingParents(verification, survey, sums);
    // Without an owner, it may be of another account.
    const isNamed = ({ plan }: Defect): boolean => accountId === undefined || plan !== undefined;
    const named = lost.filter(isNamed);
    const open = await settled(named);
    const areLeft = open.length > 0 || named.length < lost.length;
    if (repairer !== undefined && areLeft) incomplete.add(sums.list);
  }
  const nodes = ofLists.flatMap((sums) => missingNodes(verification, survey, sums));
  for (const defect of nodes.filter(({ list }) => incomplete.has(list))) {
    reportUnclear(verification, defect.difference.record);
    hide(defect);
  }
  const addable = nodes.filter(({ list }) => !incomplete.has(list));
  const open = new Set<Defect>(await settled(addable));
  await settled(ofLists.flatMap(({ list }) => miscountedNodes(verification, survey, list)));
  return { hidden, added: addable.filter((defect) => !open.has(defect)).map(({ place }) => place) };
}

/** Blocks that counters assign to another owner than their records do. */
const foreignBlocks = ({ counters }: Survey, { list, at }: ListSums): readonly Defect[] =>
  [...counters.blocksOf(list)].flatMap(({ owner, block }) => {
    const sum = at(block);
    if (sum === undefined || (sum.owner === owner && sum.foreignRecords === 0)) return [];
    const difference = {
      record: `list ${list.name}, block ${block}`,
      what: "its records, which counters give to another owner",
      actual: `of ${sum.owner}`,
      expected: "of the block's owner",
    };
    return [{ list, difference, next: "restore `tallies` and the records from one moment" }];
  });

/** All accounts share the counter of blocks. */
function counterBehind(
  { db, accountId }: Verification,
  { counters }: Survey,
  { list, blocks }: ListSums,
): readonly Defect[] {
  if (accountId !== undefined || !allocatesIds(list)) return [];
  const recorded = [...blocks()].reduce((last, { block }) => Math.max(last, block), 0);
  const expected = Math.max(recorded, counters.lastNamed(list));
  const actual = counters.lastLeased(list);
  if (actual >= expected) return [];
  const what = "the last block that was leased, by its counter";
  const difference = { record: `list ${list.name}`, what, actual, expected: `${expected} or more` };
  return [{ list, difference, plan: advanceCounter(db, list, expected) }];
}

/** Heads that are not past the last record of their owner. */
function headsBehind(
  { db }: Verification,
  { counters }: Survey,
  { list, blocks }: ListSums,
): readonly Defect[] {
  if (!allocatesIds(list)) return [];
  const places = new Map<string, NextId>();
  for (const { owner, block, lastId } of blocks()) {
    const found = places.get(owner);
    if (found === undefined || found.block < block)
      places.set(owner, { block, next: (lastId % list.blockSize) + 1 });
  }
  const idAt = ({ block, next }: NextId): number => block * list.blockSize + next;
  return [...places].flatMap(([owner, place]) => {
    const head = counters.headOf(list, owner);
    if (!isBehind(head, place)) return [];
    const difference = {
      record: `list ${list.name} of ${owner}`,
      what: "its next id",
      actual: head === undefined ? "not there" : idAt(head),
      expected: `${idAt(place)} or more`,
    };
    return [{ list, difference, plan: advanceHead({ db, list, owner }, place) }];
  });
}
