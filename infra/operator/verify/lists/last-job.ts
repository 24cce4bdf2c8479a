import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { queryOnce } from "../../../../shared/store/dynamodb/reads.ts";
import { itemsOf } from "../../../../shared/store/lists/block-list.ts";
import { everyone, jobList } from "../../../../shared/store/lists/definitions.ts";
import { lastTaken, type NextId } from "../../../../shared/store/lists/repair/lost-blocks.ts";

/** Consecutive empty blocks after which the search ends. Few blocks are leased and never used. */
const maxEmpty = 20;

/** The last job of each block; undefined if the block has none. */
const lastOf = (db: Database, blocks: readonly number[]) =>
  Promise.all(
    blocks.map(async (block) => {
      const [last] = await queryOnce(db, { ...itemsOf(jobList, block), direction: "desc", limit: 1 });
      return last;
    }),
  );

/** The head of jobs, and the position after the last stored job, searched from the head's block on. */
export async function lastJob(db: Database, emptyBlocks = maxEmpty) {
  const head = await lastTaken(db, jobList, everyone);
  let place: NextId | undefined;
  let first = head?.block ?? 1;
  // Each pass reads only as many blocks as are still needed, so that none is read twice.
  for (let wanted = emptyBlocks; wanted > 0; ) {
    const blocks = Array.from({ length: wanted }, (_, more) => first + more);
    const lasts = await lastOf(db, blocks);
    const found = lasts.findLastIndex((last) => last !== undefined);
    const emptyBehind = wanted - 1 - found;
    if (found >= 0)
      place = { block: first + found, next: (Number(lasts[found]?.["sk"]) % jobList.blockSize) + 1 };
    first += wanted;
    wanted = found < 0 ? 0 : emptyBlocks - emptyBehind;
  }
  return { list: jobList, owner: everyone, head, place };
}
