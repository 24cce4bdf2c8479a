/** Holds the cells and tallies of all lists against their records, as a rebuild of a list computes them. */
import { lists } from "../../data/lists.ts";
import { allBlocks } from "../../store/lists/all-blocks.ts";
import { NoRecord } from "../../store/lists/move-records.ts";
import { rebuildBlock } from "../../store/lists/rebuild.ts";
import type { Block } from "../../store/lists/rebuild-steps.ts";
import type { Listed } from "../../store/lists/records.ts";
import { forEach } from "../../store/side-by-side.ts";
import { decideStock, reportUnreadable, untilDecided, type Verification } from "./finding.ts";

/** A block of a list. */
interface ListedBlock extends Block {
  readonly listed: Listed;
  /** How many of its records were in a wrong cell. */
  moved: number;
}

const titleOf = ({ listed, owner, block }: ListedBlock): string =>
  `list ${listed.list.name}, block ${block} of ${owner}`;

/** Accounts of which a verification of stock may not take all for granted. */
export interface Doubts {
  /** Some of their records may be in wrong cells. */
  readonly astray: Set<number>;
  /** Some of their records that decide about stock can't be found or read. */
  readonly unclear: Set<number>;
}

/** Verifies all lists, and rebuilds what is wrong where that is asked for. */
export async function verifyLists(verification: Verification): Promise<Doubts> {
  const { db, accountId } = verification;
  const isMeant = (owner: string): boolean => accountId === undefined || accountOf(owner) === accountId;
  const busy: ListedBlock[] = [];
  const doubts: Doubts = { astray: new Set(), unclear: new Set() };
  for (const listed of lists.values())
    await forEach(allBlocks(db, listed.list, isMeant), async ({ owner, block }) => {
      const place = { listed, owner, block, moved: 0 };
      if (!(await look(verification, place, doubts))) busy.push(place);
    });
  const lookAgain = async (left: readonly ListedBlock[]): Promise<readonly ListedBlock[]> => {
    const undecided: ListedBlock[] = [];
    for (const place of left) if (!(await look(verification, place, doubts))) undecided.push(place);
    return undecided;
  };
  for (const place of await untilDecided(verification, busy, lookAgain, titleOf)) {
    doubts.astray.add(accountOf(place.owner));
    reportMoved(verification, place);
  }
  return doubts;
}

/** The account of a list's owner. An owner of attributes is named after its account. */
export const accountOf = (owner: string): number => Number.parseInt(owner, 10);

/** How long a block is tried before the others come first, in milliseconds. */
const patience = 5_000;

/** No global index plays a part in tallies, so they settle as in a rebuild. */
const longestSettle = 100;

/** Looks at a block, and reports what is wrong once that is known; answers whether it is. */
async function look(verification: Verification, place: ListedBlock, doubts: Doubts): Promise<boolean> {
  try {
    const found = await lookAt(verification, place);
    if (found === undefined) return false;
    if (place.moved > 0 && verification.repairer === undefined) doubts.astray.add(accountOf(place.owner));
    reportMoved(verification, place);
    if (found === "wrong") reportTally(verification, place);
  } catch (error) {
    if (!(error instanceof NoRecord)) throw error;
    reportUnreadable(verification, titleOf(place), error.key);
    if (decideStock.has(place.listed.list.name)) doubts.unclear.add(accountOf(place.owner));
  }
  return true;
}

/** Takes the steps of a rebuild, and notes how many records were in a wrong cell at all looks together. */
async function lookAt({ db, settle, repairer }: Verification, place: ListedBlock) {
  const looksOnly = repairer === undefined;
  const { moved, found } = await rebuildBlock(db, place.listed, place, {
    settle: Math.min(settle, longestSettle),
    patience,
    looksOnly,
  });
  place.moved = looksOnly ? moved : place.moved + moved;
  return found;
}

const stateOf = ({ repairer }: Verification) => (repairer === undefined ? "found" : "repaired");

function reportMoved(verification: Verification, place: ListedBlock): void {
  const { moved: is } = place;
  if (is === 0) return;
  const what = "records in a wrong cell";
  const state = stateOf(verification);
  verification.report({ kind: "difference", record: titleOf(place), what, is, ought: 0, state });
}

const reportTally = (verification: Verification, place: ListedBlock): void =>
  verification.report({
    kind: "difference",
    record: titleOf(place),
    what: "tally",
    is: "other than the records",
    ought: "their number",
    state: stateOf(verification),
  });
