/** Holds the cells and tallies of all lists against their records, as a rebuild of a list computes them. */
import { lists } from "../../../../shared/schema/lists.ts";
import type { Listed } from "../../../../shared/store/lists/records.ts";
import { rebuildBlock } from "../../../../shared/store/lists/repair/rebuild.ts";
import type { Block } from "../../../../shared/store/lists/repair/rebuild-context.ts";
import { accountOf, blockTitle, isInScope, type Verification } from "../finding.ts";
import { decideEach, unlessUnreadable } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { unlikeBlocks } from "./list-sums.ts";

/** A block of a list. */
interface ListedBlock extends Block {
  readonly listed: Listed;
  /** How many of its records were in a wrong cell. */
  moved: number;
}

const titleOf = (place: ListedBlock): string => blockTitle(place.listed.list, place);

/**
 * Verifies the lists' tallies, and rebuilds what is wrong where that is asked for.
 * @returns the accounts of which records may be in wrong cells
 */
export async function verifyLists(
  verification: Verification,
  { lists: sums, counters }: Survey,
): Promise<ReadonlySet<number>> {
  const astray = new Set<number>();
  const suspects = [...lists].flatMap(([name, listed]) => {
    const ofList = sums.get(name);
    const unlike = ofList === undefined ? [] : unlikeBlocks(ofList, counters).unlike;
    return unlike
      .filter(({ owner }) => isInScope(verification, accountOf(owner)))
      .map((place) => ({ listed, ...place, moved: 0 }));
  });
  const look = (place: ListedBlock) => lookAt(verification, place, astray);
  for (const place of await decideEach(verification, suspects, look, titleOf, blocksAtOnce)) {
    astray.add(accountOf(place.owner));
    reportMoved(verification, place);
  }
  return astray;
}

/** Blocks rebuilt side by side. Each reads much of its list. */
const blocksAtOnce = 8;

/** How long a block is tried before the others come first, in milliseconds. */
const maxRetryBudgetMs = 5_000;

/** No global index plays a part in tallies, so they settleMs as in a rebuild. */
const maxSettleMs = 100;

/**
 * Takes the steps of a rebuild, or only looks what they would come to; unclear where an item can't be read.
 */
export const rebuilding = (
  { db, settleMs, retryBudgetMs, repairer }: Verification,
  listed: Listed,
  block: Block,
) =>
  unlessUnreadable(() =>
    rebuildBlock(db, listed, block, {
      settleMs: Math.min(settleMs, maxSettleMs),
      retryBudgetMs: Math.min(retryBudgetMs, maxRetryBudgetMs),
      looksOnly: repairer === undefined,
    }),
  );

/** Rebuilds a block or only looks, and reports what was wrong once that is known. */
async function lookAt(verification: Verification, place: ListedBlock, astray: Set<number>) {
  const looksOnly = verification.repairer === undefined;
  const rebuilt = await rebuilding(verification, place.listed, place);
  if (rebuilt === "unclear") {
    // What the block ought to count is not known before the item is repaired.
    astray.add(accountOf(place.owner));
    reportMoved(verification, place);
    return rebuilt;
  }
  const { moved, found } = rebuilt;
  place.moved = looksOnly ? moved : place.moved + moved;
  if (found === undefined) return "busy";
  if (place.moved > 0 && looksOnly) astray.add(accountOf(place.owner));
  reportMoved(verification, place);
  if (found === "wrong") reportCounter(verification, place);
  return "decided";
}

const stateOf = ({ repairer }: Verification) => (repairer === undefined ? "found" : "repaired");

function reportMoved(verification: Verification, place: ListedBlock): void {
  const { moved: actual } = place;
  if (actual === 0) return;
  const what = "records in a wrong cell";
  const state = stateOf(verification);
  verification.report({ kind: "difference", record: titleOf(place), what, actual, expected: 0, state });
}

const reportCounter = (verification: Verification, place: ListedBlock): void =>
  verification.report({
    kind: "difference",
    record: titleOf(place),
    what: "tally",
    actual: "other than the records",
    expected: "their number",
    state: stateOf(verification),
  });
