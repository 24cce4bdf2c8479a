/** Nodes that tallies lack, those of blocks and those above them, and nodes that count wrong. */
import { lists } from "../../../../shared/schema/lists.ts";
import type { Parent } from "../../../../shared/store/lists/counters/nodes.ts";
import { type BlockList, blocksAlong } from "../../../../shared/store/lists/definitions.ts";
import { addNode, addParent, hasNode, hasParent } from "../../../../shared/store/lists/repair/lost-blocks.ts";
import type { Block } from "../../../../shared/store/lists/repair/rebuild-context.ts";
import { isEven, makeEven } from "../../../../shared/store/lists/repair/uneven-nodes.ts";
import {
  accountOf,
  blockTitle,
  isInScope,
  reportUnclear,
  stockSourceLists,
  type Verification,
} from "../finding.ts";
import type { Survey } from "../survey.ts";
import { isLeader, type Lack } from "./lacks.ts";
import { type ListSums, type SummedBlock, unlikeBlocks } from "./list-sums.ts";
import { rebuilding } from "./lists.ts";

/** Nodes that are gone while others lie below them. */
interface LostParents {
  readonly lacks: readonly Lack[];
  /** Whether some are for people to give back: no record of their blocks tells whose they are. */
  readonly areLeft: boolean;
}

/**
 * Finds nodes that are gone while others lie below them. Whose they are, the records of their blocks tell.
 */
export function lacksOfParents(
  { db, accountId, report }: Verification,
  { counters }: Survey,
  { list, at }: ListSums,
): LostParents {
  let areLeft = false;
  const lacks = counters.lostParents(list).flatMap(({ blocks, ...parent }) => {
    const owner = blocks.flatMap((block) => at(block)?.owner ?? [])[0];
    const difference = {
      record: nodeTitle(list, parent),
      what: "the node by which the tallies of its blocks are found",
      actual: "not there",
      expected: "there, since nodes lie below it",
    };
    if (owner !== undefined)
      return isInScope({ accountId }, accountOf(owner))
        ? [parentLack(db, list, owner, parent, difference)]
        : [];
    if (accountId === undefined) report({ kind: "difference", ...difference, state: "by_hand" });
    areLeft = true;
    return [];
  });
  return { lacks, areLeft };
}

const parentLack = (
  db: Verification["db"],
  list: BlockList,
  owner: string,
  parent: Parent,
  difference: Lack["difference"],
): Lack => ({
  difference,
  isThere: () => hasParent(db, list, owner, parent),
  mend: () => addParent(db, list, owner, parent),
  hides: stockSourceLists.has(list.name) ? accountOf(owner) : undefined,
});

/**
 * Nodes that count something else than those below them. Lower ones come first, as upper ones follow them.
 */
export const unevenNodes = (
  { db, accountId }: Verification,
  { counters }: Survey,
  list: BlockList,
): readonly Lack[] =>
  counters
    .unevenParents(list)
    .filter(({ owner }) => isInScope({ accountId }, accountOf(owner)))
    .map(({ owner, ...parent }) => ({
      difference: {
        record: nodeTitle(list, parent),
        what: `its counts, of ${owner}`,
        actual: "other than those of the nodes below it",
        expected: "their sum",
      },
      isThere: () => isEven(db, list, owner, parent),
      mend: () => makeEven(db, list, owner, parent),
    }));

const nodeTitle = ({ name }: BlockList, { level, first }: Parent): string =>
  `list ${name}, node ${level} of block ${first}`;

/** The node of a block that tallies lack. */
interface NodeLack extends Lack {
  readonly list: BlockList;
}

/** Blocks without a node: of records, and those that a block of another list brings along. */
export function lacksOfNodes(
  verification: Verification,
  survey: Survey,
  sums: ListSums,
): readonly NodeLack[] {
  const { list } = sums;
  const { missing: unfound } = unlikeBlocks(sums, survey.counters);
  const missing = unfound.filter(({ block }) => !survey.counters.has(list, block));
  const along = [...survey.counters.blocksOf(list), ...missing].flatMap(({ owner, block }) =>
    blocksAlong(list, block).map((one) => ({ ...one, owner })),
  );
  const lost = along.filter(
    (one) =>
      !survey.counters.has(one.list, one.block) &&
      survey.lists.get(one.list.name)?.at(one.block) === undefined,
  );
  return [
    ...missing.map((block) => nodeLack(verification, list, block)),
    ...lost.map(({ list: other, ...block }) => nodeLack(verification, other, block)),
  ].filter((lack) => lack !== undefined);
}

function nodeLack(
  verification: Verification,
  list: BlockList,
  place: Block & Partial<SummedBlock>,
): NodeLack | undefined {
  const { db, accountId } = verification;
  const { owner, block, firstDay } = place;
  const listed = lists.get(list.name);
  if (listed === undefined || !isInScope({ accountId }, accountOf(owner))) return undefined;
  const record = blockTitle(list, { owner, block });
  const leasedAt = isLeader(list) && firstDay !== undefined ? startOf(firstDay) : undefined;
  /** Whether the node is added, and does not count its records yet. */
  let isEmpty = false;
  return {
    list,
    difference: {
      record,
      what: "its tally, without which nothing lists or counts its records",
      actual: "not there",
      expected: "there, since its first record was created",
    },
    isThere: async () => !isEmpty && (await hasNode(db, list, { owner, block })),
    mend: async () => {
      isEmpty ||= (await addNode(db, list, { owner, block }, leasedAt)) !== undefined;
      if (!isEmpty) return undefined;
      const rebuilt = await rebuilding(verification, listed, { owner, block });
      // The node is there now. What it ought to count is not known before the record is repaired.
      if (rebuilt === "unclear") reportUnclear(verification, record);
      else if (rebuilt.found === undefined) return undefined;
      isEmpty = false;
      return true;
    },
    hides: stockSourceLists.has(list.name) && firstDay !== undefined ? accountOf(owner) : undefined,
  };
}

/**
 * A day's beginning (ISO 8601): a block was leased then or later, and its first record was created after
 * that.
 */
const startOf = (day: number): string => new Date(day * 86_400_000).toISOString();
