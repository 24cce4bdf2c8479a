/** Compares the facet keys and counters of all lists with their records, by the steps of a rebuild. */
import { lists } from "../../../../shared/schema/lists.ts";
import type { RecordList } from "../../../../shared/store/lists/records.ts";
import { rebuildBlock } from "../../../../shared/store/lists/repair/rebuild.ts";
import type { Block } from "../../../../shared/store/lists/repair/rebuild-context.ts";
import { accountOf, blockTitle, isInScope, type Verification } from "../finding.ts";
import { decideEach, unlessUnreadable } from "../inspection.ts";
import type { Survey } from "../survey.ts";
import { compareBlocks } from "./list-sums.ts";

interface ListedBlock extends Block {
  readonly recordList: RecordList;
  /** Records that had a wrong facet key. */
  moved: number;
}

const titleOf = (place: ListedBlock): string => blockTitle(place.recordList.list, place);

/**
 * Verifies the counters of lists, and rebuilds what is wrong if requested.
 * @returns the accounts that may have records with wrong facet keys
 */
export async function verifyLists(
  verification: Verification,
  { lists: sums, counters }: Survey,
): Promise<ReadonlySet<number>> {
  const misfiledAccounts = new Set<number>();
  const suspects = [...lists].flatMap(([name, recordList]) => {
    const ofList = sums.get(name);
    const differing = ofList === undefined ? [] : compareBlocks(ofList, counters).differing;
    return differing
      .filter(({ owner }) => isInScope(verification, accountOf(owner)))
      .map((place) => ({ recordList, ...place, moved: 0 }));
  });
  const look = (place: ListedBlock) => lookAt(verification, place, misfiledAccounts);
  for (const place of await decideEach(verification, suspects, look, titleOf, blocksAtOnce)) {
    misfiledAccounts.add(accountOf(place.owner));
    reportMoved(verification, place);
  }
  return misfiledAccounts;
}

/** Blocks rebuilt concurrently. Each reads much of its list. */
const blocksAtOnce = 8;

/** How long a block is tried before the others come first, in milliseconds. */
const maxRetryBudgetMs = 5_000;

/** No global index is involved, so counters settle as in a rebuild. */
const maxSettleMs = 100;

/** Rebuilds a block, or only inspects it; unclear if an item can't be read. */
export const rebuilding = (
  { db, settleMs, retryBudgetMs, repairer }: Verification,
  recordList: RecordList,
  block: Block,
) =>
  unlessUnreadable(() =>
    rebuildBlock(db, recordList, block, {
      settleMs: Math.min(settleMs, maxSettleMs),
      retryBudgetMs: Math.min(retryBudgetMs, maxRetryBudgetMs),
      looksOnly: repairer === undefined,
    }),
  );

/** Rebuilds or inspects a block, and reports what was wrong once that is known. */
async function lookAt(verification: Verification, place: ListedBlock, misfiledAccounts: Set<number>) {
  const looksOnly = verification.repairer === undefined;
  const rebuilt = await rebuilding(verification, place.recordList, place);
  if (rebuilt === "unclear") {
    // The correct counts are unknown until the item is repaired.
    misfiledAccounts.add(accountOf(place.owner));
    reportMoved(verification, place);
    return rebuilt;
  }
  const { moved, state } = rebuilt;
  place.moved = looksOnly ? moved : place.moved + moved;
  if (state === undefined) return "busy";
  if (place.moved > 0 && looksOnly) misfiledAccounts.add(accountOf(place.owner));
  reportMoved(verification, place);
  if (state === "wrong") reportCounter(verification, place);
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
