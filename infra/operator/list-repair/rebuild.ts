/**
 * Recomputes the facet keys and counts of a list while it is in use.
 *
 * A list is rebuilt after its facets have changed: records are stored with their old facet keys, so filters
 * by a new facet do not find them. Totals are right even before that, because every write subtracts a record
 * by its stored facet key.
 *
 * Each block takes two steps. First, each record with a wrong facet key is moved, with its count in the same
 * transaction. Then the counts are compared with the records of the block and corrected. Each transaction
 * leaves the list consistent, so an interrupted rebuild is run again from the start.
 *
 * Writers may continue. A block that they write to continuously is tried again at the end. All writers must
 * run code with the new facets, so a list is rebuilt after the deployment is complete. Blocks that are leased
 * meanwhile are correct from the start.
 */

import { clock } from "../../../shared/common/clock.ts";
import { forEachConcurrently } from "../../../shared/common/concurrency.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { backOff } from "../../../shared/store/dynamodb/retry.ts";
import { countsSame } from "../../../shared/store/lists/counters/counts.ts";
import type { RecordList } from "../../../shared/store/lists/repository.ts";
import { allBlocks, type Block } from "./all-blocks.ts";
import { correctCounter, type FoundCounts } from "./correct-counter.ts";
import { moveRecords } from "./move-records.ts";

interface RebuildPace {
  /** How long counts must stay unchanged before and after the block is read. */
  readonly settleMs: number;
  /** How long a block is tried before the others come first. */
  readonly retryBudgetMs: number;
  readonly looksOnly?: boolean;
}

/** DynamoDB shows queries a whole transaction within a few ms, and documents no limit. */
const defaultPace: RebuildPace = { settleMs: 100, retryBudgetMs: 60_000 };

/**
 * Rebuilds a list for all owners. Reads the counters once to find the blocks, and each record of the list.
 * @returns how many `blocks` were rebuilt, how many records had a wrong facet key and were `moved`, and how
 * many blocks had counts that differed from their records (`corrected`)
 * @throws if an item of the list is no record; and, after all other blocks are done, if a block was written
 * to continuously each time it was tried
 */
export async function rebuildList(
  db: Database,
  recordList: RecordList,
  report: (line: string) => void,
  pace: Partial<RebuildPace> = {},
) {
  const result = { blocks: 0, moved: 0, corrected: 0 };
  const rebuildEach = async (blocks: Iterable<Block> | AsyncIterable<Block>): Promise<readonly Block[]> => {
    const busy: Block[] = [];
    await forEachConcurrently(blocks, async (block) => {
      const { moved, counts } = await rebuildBlock(db, recordList, block, { ...defaultPace, ...pace });
      report(`${nameOf(block)}: ${moved} records moved, ${outcomeOf(counts)}`);
      result.moved += moved;
      if (counts === undefined) busy.push(block);
      else result.blocks += 1;
      if (counts !== undefined && !countsSame(counts.counted, counts.stored)) result.corrected += 1;
    });
    return busy;
  };
  const stillBusy = await rebuildEach(await rebuildEach(allBlocks(db, recordList.list)));
  if (stillBusy.length === 0) return result;
  throw new Error(
    `written to without a pause, so not rebuilt: ${stillBusy.map(nameOf).join(", ")}; run this again`,
  );
}

const nameOf = ({ owner, block }: Block): string => `block ${block} of ${owner}`;

function outcomeOf(counts: FoundCounts | undefined): string {
  if (counts === undefined) return "not done because it is written to without a pause";
  return countsSame(counts.counted, counts.stored) ? "counters right" : "counters corrected";
}

/** Until no writer interferes or the budget ends. `counts` are undefined if they are not known by then. */
export async function rebuildBlock(
  db: Database,
  recordList: RecordList,
  block: Block,
  { settleMs, retryBudgetMs, looksOnly = false }: RebuildPace,
): Promise<{ readonly moved: number; readonly counts: FoundCounts | undefined }> {
  const until = clock() + retryBudgetMs;
  let moved = 0;
  for (let attempt = 1; ; attempt += 1) {
    const pass = await moveRecords(db, recordList, block, { until, looksOnly });
    moved = looksOnly ? pass.moved : moved + pass.moved;
    const counts = pass.complete
      ? await correctCounter({ db, list: recordList.list, owner: block.owner }, block.block, {
          settleMs,
          looksOnly,
        })
      : undefined;
    if (counts !== undefined || clock() > until) return { moved, counts };
    await backOff(Math.min(attempt, 3));
  }
}
