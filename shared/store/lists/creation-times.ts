/**
 * Bounds of creation times within a day. The index of a block holds the days of its records only, but
 * creation times rise with ids. So the first record beyond a bound is searched for among those of the bound's
 * day, by reading some of them.
 */
import { dayOf } from "../../common/times.ts";
import { getItems, type Lookup } from "../dynamodb/reads.ts";
import { type BlockList, blockOf, itemsOf, type OwnedList } from "./block-list.ts";
import type { ListEntry, PageRequest } from "./page-request.ts";

/** Records that are read at once. Two such reads find one among the 400 of a block. */
const maxProbes = 20;

/**
 * The entries whose records were created within the request's times. In a block, each bound takes at most two
 * calls and 40 records.
 * @param entries in ascending order, within the request's days
 */
export async function createdWithin(
  { db, list }: OwnedList,
  entries: readonly ListEntry[],
  { times }: Pick<PageRequest, "times">,
): Promise<readonly ListEntry[]> {
  if (times === undefined) return entries;
  const { from, to, createdAt } = times;
  const beyond = (time: string | undefined, isBeyond: (created: string) => boolean) => {
    if (time === undefined) return undefined;
    const lookups = entries.map((entry) => lookupOf(list, entry));
    // Days that rise with the entries leave those of the bound's day to search.
    const low = entries.filter(({ day }) => day < dayOf(time)).length;
    const high = entries.filter(({ day }) => day <= dayOf(time)).length;
    return search({ low, high }, async (positions) => {
      const chosen = positions.map((position) => lookups[position]).filter((one) => one !== undefined);
      const find = await getItems(db, chosen);
      return chosen.map((lookup) => {
        const item = find(lookup);
        return item && isBeyond(createdAt(item));
      });
    });
  };
  const [start = 0, end] = await Promise.all([
    beyond(from, (created) => from !== undefined && created >= from),
    beyond(to, (created) => to !== undefined && created > to),
  ]);
  return entries.slice(start, end);
}

function lookupOf(list: BlockList, { sk }: ListEntry): Lookup {
  const { table, pk } = itemsOf(list, blockOf(list, Number.parseInt(sk, 10)));
  return { table, key: { pk, sk } };
}

/**
 * The first position from `low` up to `high` that is beyond a bound, or `high`. All positions after it are
 * beyond it, too. `judge` says of each position whether it is; undefined if nothing is there any more.
 */
async function search(
  { low, high }: { readonly low: number; readonly high: number },
  judge: (positions: readonly number[]) => Promise<readonly (boolean | undefined)[]>,
): Promise<number> {
  if (low >= high) return high;
  const step = Math.ceil((high - low) / maxProbes);
  const positions = Array.from(
    { length: Math.floor((high - low) / step) },
    (_, index) => low + (index + 1) * step - 1,
  );
  const judged = await judge(positions);
  const end = positions[judged.indexOf(true)] ?? high;
  const last = positions.filter((position, index) => position < end && judged[index] === false).at(-1);
  const begin = last === undefined ? low : last + 1;
  return begin === low && end === high ? low : search({ low: begin, high: end }, judge);
}
