import type { Database } from "../../store/database.ts";
import { itemsOf } from "../../store/lists/block-list.ts";
import { everyone, jobList } from "../../store/lists/definitions.ts";
import { lastTaken, type NextId } from "../../store/lists/lost-blocks.ts";
import { queryOnce } from "../../store/reads.ts";

/** Blocks without a job, after which no more are looked for: few are leased and not put to use. */
const mostEmpty = 20;

/** The head of jobs, and where their ids go on behind the last one that is stored from the head's block on. */
export async function lastJob(db: Database, emptyBlocks = mostEmpty) {
  const head = await lastTaken(db, jobList, everyone);
  let place: NextId | undefined;
  for (let first = head?.block ?? 1; ; ) {
    const blocks = Array.from({ length: emptyBlocks }, (_, more) => first + more);
    const lasts = await Promise.all(
      blocks.map((block) => queryOnce(db, { ...itemsOf(jobList, block), direction: "desc", limit: 1 })),
    );
    const found = lasts.findLastIndex((items) => items.length > 0);
    if (found < 0) break;
    const block = first + found;
    place = { block, next: (Number(lasts[found]?.[0]?.["sk"]) % jobList.blockSize) + 1 };
    first = block + 1;
  }
  return { list: jobList, owner: everyone, head, place };
}
