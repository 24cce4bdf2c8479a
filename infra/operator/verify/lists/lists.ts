/** Compares the facet keys and counters of all lists with their records, by the steps of a rebuild. */

import { type Counts, countsSame, sumOfCounts } from "../../../../shared/store/lists/counters/counts.ts";
import type { RecordList } from "../../../../shared/store/lists/repository.ts";
import { lists } from "../../../data-model/lists.ts";
import type { Block } from "../../list-repair/all-blocks.ts";
import { rebuildBlock } from "../../list-repair/rebuild.ts";
import { accountIn, blockTitle, type Deviation, isInScope, type Verification } from "../finding.ts";
import { type Inspection, nothingWrong, type Repaired, verifySuspects } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { differingBlocks } from "./list-sums.ts";

/** A block of a list. */
export interface ListedBlock extends Block {
  readonly listed: RecordList;
}

const titleOf = ({ listed, ...place }: ListedBlock): string => blockTitle(listed.list, place);

/** Blocks rebuilt concurrently. Each reads much of its list. */
const blocksAtOnce = 8;

/** How long a block is tried before the others come first, in milliseconds. */
const maxRetryBudgetMs = 5_000;

/** No global index is involved, so counters settle as in a rebuild. */
const maxSettleMs = 100;

/**
 * Verifies the counters of lists, and rebuilds what is wrong if requested; also the `added` blocks, whose
 * records are not counted yet.
 * @returns the accounts that may have records with wrong facet keys
 */
export async function verifyLists(
  verification: Verification,
  { lists: sums, counters }: Survey,
  added: readonly ListedBlock[],
): Promise<ReadonlySet<number>> {
  const { repairer } = verification;
  const differing = [...lists].flatMap(([name, listed]) => {
    const ofList = sums.get(name);
    const blocks = ofList === undefined ? [] : differingBlocks(ofList, counters);
    return blocks
      .filter(({ owner }) => isInScope(verification, accountIn(owner)))
      .map((place): ListedBlock => ({ listed, ...place }));
  });
  const suspects = [...differing, ...added].map((place) => ({
    owner: place.owner,
    title: titleOf(place),
    inspect: () => inspectBlock(verification, place),
  }));
  const outcomes = await verifySuspects(verification, suspects, blocksAtOnce);
  const isRight = (outcome: string): boolean =>
    outcome === "right" || (outcome === "found" && repairer !== undefined);
  return new Set([...outcomes].filter(([, one]) => !isRight(one)).map(([{ owner }]) => accountIn(owner)));
}

/** @throws if an item of the block can't be read: until it is repaired, the correct counts are unknown */
async function inspectBlock(verification: Verification, place: ListedBlock): Promise<Inspection> {
  const { db, settleMs, retryBudgetMs, report } = verification;
  const rebuild = (looksOnly: boolean) =>
    rebuildBlock(db, place.listed, place, {
      settleMs: Math.min(settleMs, maxSettleMs),
      retryBudgetMs: Math.min(retryBudgetMs, maxRetryBudgetMs),
      looksOnly,
    });
  const { moved, counts } = await rebuild(true);
  if (counts === undefined) return "busy";
  const record = titleOf(place);
  const misfiled = (records: number): Deviation => ({
    record,
    what: "records with a wrong facet key",
    actual: records,
    expected: 0,
  });
  const differences = [
    ...(moved === 0 ? [] : [misfiled(moved)]),
    ...countDifferences(record, "counter", counts.counted, counts.stored),
  ];
  if (differences.length === 0) return nothingWrong;
  const repair = async (): Promise<Repaired> => {
    const rebuilt = await rebuild(false);
    if (rebuilt.counts !== undefined) return "repaired";
    // The block is inspected again, and what this moved is right by then.
    if (rebuilt.moved > 0) report({ kind: "difference", ...misfiled(rebuilt.moved), state: "repaired" });
    return "busy";
  };
  return { state: [moved, [...counts.counted], [...counts.stored]], faults: [{ differences, repair }] };
}

/** The difference of two counts: of all records, or of those of each facet key if these are as many. */
export function countDifferences(
  record: string,
  what: string,
  found: Counts,
  expected: Counts,
): readonly Deviation[] {
  if (countsSame(found, expected)) return [];
  const [actual, right] = [sumOfCounts(found), sumOfCounts(expected)];
  if (actual !== right) return [{ record, what, actual, expected: right }];
  const facetKeys = [...new Set([...found.keys(), ...expected.keys()])].toSorted();
  const textOf = (counts: Counts): string =>
    facetKeys
      .filter((key) => found.get(key) !== expected.get(key))
      .map((key) => `${counts.get(key) ?? 0} in ${key}`)
      .join(", ");
  return [{ record, what, actual: textOf(found), expected: textOf(expected) }];
}
