/** Missing nodes, of blocks and above them, and nodes with wrong counts. */
import { dayLength } from "../../../../shared/common/times.ts";
import { type BlockList, followerBlocks } from "../../../../shared/store/lists/block-list.ts";
import type { Parent } from "../../../../shared/store/lists/counters/nodes.ts";
import { lists } from "../../../data-model/lists.ts";
import type { Block } from "../../list-repair/all-blocks.ts";
import { repairNode } from "../../list-repair/lost-blocks.ts";
import {
  accountIn,
  blockTitle,
  claimingLists,
  isInScope,
  missing,
  restoreIt,
  type Verification,
} from "../finding.ts";
import type { Survey } from "../survey.ts";
import { allocatesIds, type Defect } from "./defects.ts";
import type { ListSums, SummedBlock } from "./list-sums.ts";
import { countDifferences, type ListedBlock } from "./lists.ts";

/**
 * Missing nodes with existing descendants. Without a record of their blocks, which names the owner, they are
 * left to a person.
 */
export const missingParents = (
  { db, accountId }: Verification,
  { counters }: Survey,
  { list, at }: ListSums,
): readonly Defect[] =>
  counters.lostParents(list).flatMap(({ blocks, ...parent }): readonly Defect[] => {
    const owner = blocks.flatMap((block) => at(block)?.owner ?? [])[0];
    const what = "the node by which the counters of its blocks are found";
    const difference = missing(nodeTitle(list, parent), what, "there, since nodes lie below it");
    if (owner === undefined) return [{ list, difference, next: restoreIt }];
    if (!isInScope({ accountId }, accountIn(owner))) return [];
    const hides = claimingLists.has(list.name) ? accountIn(owner) : undefined;
    return [{ list, difference, plan: repairNode({ db, list, owner }, parent), hides }];
  });

/**
 * Nodes whose counts differ from the sum of their children. Lower levels come first, because upper ones
 * depend on them.
 */
export const miscountedNodes = (
  { db, accountId }: Verification,
  { counters }: Survey,
  list: BlockList,
): readonly Defect[] =>
  counters
    .miscountedParents(list)
    .filter(({ owner }) => isInScope({ accountId }, accountIn(owner)))
    .flatMap(({ owner, counted, below, ...parent }) =>
      countDifferences(nodeTitle(list, parent), `its counts, of ${owner}`, counted, below).map(
        (difference) => ({ list, difference, plan: repairNode({ db, list, owner }, parent) }),
      ),
    );

const nodeTitle = ({ name }: BlockList, { level, first }: Parent): string =>
  `list ${name}, node ${level} of block ${first}`;

/** A missing node of a block. Once it is added, the block must be rebuilt to count its records. */
interface MissingNode extends Defect {
  readonly place: ListedBlock;
}

/** Blocks without a node: those that have records, and those that are leased with a block of another list. */
export function missingNodes(
  verification: Verification,
  survey: Survey,
  sums: ListSums,
): readonly MissingNode[] {
  const { list } = sums;
  const unknown = [...sums.blocks()].filter(({ block }) => !survey.counters.has(list, block));
  const along = [...survey.counters.blocksOf(list), ...unknown].flatMap(({ owner, block }) =>
    followerBlocks(list, block).map((one) => ({ ...one, owner })),
  );
  const lost = along.filter(
    (one) =>
      !survey.counters.has(one.list, one.block) &&
      survey.lists.get(one.list.name)?.at(one.block) === undefined,
  );
  return [
    ...unknown.map((block) => missingNode(verification, list, block)),
    ...lost.map(({ list: other, ...block }) => missingNode(verification, other, block)),
  ].filter((defect) => defect !== undefined);
}

function missingNode(
  { db, accountId }: Verification,
  list: BlockList,
  { owner, block, firstDay }: Block & Partial<SummedBlock>,
): MissingNode | undefined {
  const listed = lists.get(list.name);
  if (listed === undefined || !isInScope({ accountId }, accountIn(owner))) return undefined;
  const leasedAt = allocatesIds(list) && firstDay !== undefined ? startOf(firstDay) : undefined;
  return {
    list,
    place: { listed, owner, block },
    difference: missing(
      blockTitle(list, { owner, block }),
      "its counter, without which nothing lists or counts its records",
      "there, since its first record was created",
    ),
    plan: repairNode({ db, list, owner }, { level: 0, first: block, leased_at: leasedAt }),
    hides: claimingLists.has(list.name) && firstDay !== undefined ? accountIn(owner) : undefined,
  };
}

/**
 * The start of a day (ISO 8601): a block was leased at or after it, and its records were created after that.
 */
const startOf = (day: number): string => new Date(day * dayLength).toISOString();
