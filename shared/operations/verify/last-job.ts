import type { Database } from "../../store/database.ts";
import { itemsOf } from "../../store/lists/block-list.ts";
import { everyone, jobList } from "../../store/lists/definitions.ts";
import { lastTaken, type NextId } from "../../store/lists/lost-blocks.ts";
import { queryOnce } from "../../store/reads.ts";

/** Blocks without a job, after which no more are looked for: few are leased and not put to use. */
const mostEmpty = 20;

/** Where the ids of jobs go on behind the last one that is stored, as far as their head does not know it. */
export async function lastJob(db: Database) {
  const head = await lastTaken(db, jobList, everyone);
  let place: NextId | undefined;
  let empty = 0;
  for (let block = head?.block ?? 1; empty < mostEmpty; block += 1) {
    const [last] = await queryOnce(db, { ...itemsOf(jobList, block), direction: "desc", limit: 1 });
    empty = last === undefined ? empty + 1 : 0;
    if (last !== undefined) place = { block, next: (Number(last["sk"]) % jobList.blockSize) + 1 };
  }
  return { list: jobList, owner: everyone, place };
}
