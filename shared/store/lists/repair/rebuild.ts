/**
 * Recomputes the cells and tallies of a list while it is in use.
 *
 * A list needs this once its facets have changed: its records lie in the cells that they were stored in, and
 * filters by a new facet do not find them. Totals are right before that, for every write takes a record out
 * of its stored cell.
 *
 * Each block takes two steps. First each record that is in a wrong cell is moved, its count in the same
 * transaction. Then the tally is held against the block's records, and corrected where it differs. Each
 * transaction leaves the list consistent, and what is right is left alone. So a rebuild that was stopped is
 * run again from the start.
 *
 * Writers may go on. A block that they write to without a pause is left for the end, when it is tried once
 * more. It is assumed that all of them run code with the facets of this rebuild: a list is rebuilt by the
 * deployed code, after the deployment is complete. Code with other facets would take records out of the cells
 * that writers put them into. A block that is leased meanwhile is right from the start.
 */
import { clock } from "../../../common/clock.ts";
import { forEachConcurrently } from "../../../common/concurrency.ts";
import type { Database } from "../../dynamodb/database.ts";
import type { Listed } from "../records.ts";
import { allBlocks } from "./all-blocks.ts";
import { correctCounter, type Found } from "./correct-counter.ts";
import { moveRecords } from "./move-records.ts";
import type { Block } from "./rebuild-context.ts";

/** Told of each try of a block. */
export type Report = (line: string) => void;

/** What a rebuild came to. */
export interface Rebuilt {
  readonly blocks: number;
  /** Records that were in a wrong cell. */
  readonly moved: number;
  /** Tallies that differed from the records. */
  readonly corrected: number;
}

/** How a rebuild waits for writers, in milliseconds. */
export interface Pace {
  /** How long a tally must stay unchanged before and after its block is read. */
  readonly settleMs: number;
  /** How long a block is tried before the others come first. */
  readonly retryBudgetMs: number;
}

/**
 * All of a transaction is visible to queries within the time to settleMs: DynamoDB takes a few ms, and states
 * no limit.
 */
const usual: Pace = { settleMs: 100, retryBudgetMs: 60_000 };

/**
 * Rebuilds a list, of all owners. It reads the table of tallies once to find the blocks, and each record of
 * the list.
 * @throws where an item of the list is no record; and, once all others are right, where a block was written
 * to without a pause each time that it was tried
 */
export async function rebuildList(
  db: Database,
  listed: Listed,
  report: Report,
  pace: Partial<Pace> = {},
): Promise<Rebuilt> {
  const result = { blocks: 0, moved: 0, corrected: 0 };
  const busyOf = async (blocks: Iterable<Block> | AsyncIterable<Block>): Promise<readonly Block[]> => {
    const busy: Block[] = [];
    await forEachConcurrently(blocks, async (block) => {
      const { moved, found } = await rebuildBlock(db, listed, block, { ...usual, ...pace });
      report(`${nameOf(block)}: ${moved} records moved, ${outcomeOf(found)}`);
      result.moved += moved;
      if (found === undefined) busy.push(block);
      else result.blocks += 1;
      if (found === "wrong") result.corrected += 1;
    });
    return busy;
  };
  const left = await busyOf(await busyOf(allBlocks(db, listed.list)));
  if (left.length === 0) return result;
  throw new Error(
    `written to without a pause, so not rebuilt: ${left.map(nameOf).join(", ")}; run this again`,
  );
}

const nameOf = ({ owner, block }: Block): string => `block ${block} of ${owner}`;

function outcomeOf(found: Found | undefined): string {
  switch (found) {
    case "right":
      return "tally right";
    case "wrong":
      return "tally corrected";
    case undefined:
      return "not done because it is written to without a pause";
  }
}

/** How a block is rebuilt. */
export interface BlockPace extends Pace {
  /** Whether what is wrong is only found, and left as it is. */
  readonly looksOnly?: boolean;
}

/**
 * Takes both steps of a block. Answers how many records were in a wrong cell, and what the tally was:
 * undefined where that is not yet known.
 */
export async function rebuildBlock(
  db: Database,
  listed: Listed,
  block: Block,
  { settleMs, retryBudgetMs, looksOnly = false }: BlockPace,
): Promise<{ readonly moved: number; readonly found: Found | undefined }> {
  const until = clock() + retryBudgetMs;
  const { moved, complete } = await moveRecords(db, listed, block, { until, looksOnly });
  const found = complete
    ? await correctCounter(db, listed.list, block, { settleMs, until, looksOnly })
    : undefined;
  return { moved, found };
}
