/** Holds the cells and tallies of all lists against their records, as a rebuild of a list computes them. */
import { lists } from "../../data/lists.ts";
import { allBlocks } from "../../store/lists/all-blocks.ts";
import { rebuildBlock } from "../../store/lists/rebuild.ts";
import type { Block } from "../../store/lists/rebuild-steps.ts";
import type { Listed } from "../../store/lists/records.ts";
import { forEach } from "../../store/side-by-side.ts";
import { untilDecided, type Verification } from "./finding.ts";

/** A block of a list. */
interface ListedBlock extends Block {
  readonly listed: Listed;
}

const titleOf = ({ listed, owner, block }: ListedBlock): string =>
  `list ${listed.list.name}, block ${block} of ${owner}`;

/**
 * Verifies all lists, and rebuilds what is wrong where that is asked for.
 * @returns the accounts that have records in wrong cells after that
 */
export async function verifyLists(verification: Verification): Promise<ReadonlySet<number>> {
  const { db, accountId, repairer } = verification;
  const isMeant = (owner: string): boolean => accountId === undefined || accountOf(owner) === accountId;
  const busy: ListedBlock[] = [];
  const astray = new Set<number>();
  const look = async (place: ListedBlock): Promise<boolean> => {
    const { moved, found } = await lookAt(verification, place);
    if (moved > 0 && repairer === undefined) astray.add(accountOf(place.owner));
    return found !== undefined;
  };
  for (const listed of lists.values())
    await forEach(allBlocks(db, listed.list, isMeant), async ({ owner, block }) => {
      const place = { listed, owner, block };
      if (!(await look(place))) busy.push(place);
    });
  const lookAgain = async (left: readonly ListedBlock[]): Promise<readonly ListedBlock[]> => {
    const undecided: ListedBlock[] = [];
    for (const place of left) if (!(await look(place))) undecided.push(place);
    return undecided;
  };
  await untilDecided(verification, busy, lookAgain, titleOf);
  return astray;
}

/** The account of a list's owner. An owner of attributes is named after its account. */
export const accountOf = (owner: string): number => Number.parseInt(owner, 10);

/** How long a block is tried before the others come first, in milliseconds. */
const patience = 5_000;

/** No global index plays a part in tallies, so they settle as in a rebuild. */
const longestSettle = 100;

/** Looks at a block, and reports what is wrong. */
async function lookAt({ db, settle, repairer, report }: Verification, place: ListedBlock) {
  const looksOnly = repairer === undefined;
  const { moved, found } = await rebuildBlock(db, place.listed, place, {
    settle: Math.min(settle, longestSettle),
    patience,
    looksOnly,
  });
  const state = looksOnly ? "found" : "repaired";
  const record = titleOf(place);
  if (moved > 0)
    report({ kind: "difference", record, what: "records in a wrong cell", is: moved, ought: 0, state });
  if (found === "wrong")
    report({
      kind: "difference",
      record,
      what: "tally",
      is: "other than the records",
      ought: "their number",
      state,
    });
  return { moved, found };
}
