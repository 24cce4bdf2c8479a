/**
 * Bounds of creation times within a day. A block's index has only the days of its records, but creation times
 * rise with ids. So the first record beyond a bound is found by a search among those of the bound's day,
 * which reads some of them.
 */
import { dayBegins, dayEnds, dayOf } from "../../common/times.ts";
import { getItems, type Lookup } from "../dynamodb/reads.ts";
import { type BlockList, blockItems, blockOf, type OwnedList } from "./block-list.ts";
import type { ListEntry, PageRequest } from "./page-request.ts";

/** The number of records read at once. Two such reads find one among the 400 of a block. */
const maxProbes = 20;

/**
 * The entries whose records were created within the request's times. In a block, a bound within a day takes
 * at most two calls and 40 records.
 * @param entries in ascending order, within the request's days
 */
export async function createdWithin(
  { db, list }: OwnedList,
  entries: readonly ListEntry[],
  { created }: Pick<PageRequest, "created">,
): Promise<readonly ListEntry[]> {
  if (created === undefined) return entries;
  const { from, to, createdAt } = created;
  const firstBeyond = (time: string, isBeyond: (createdAt: string) => boolean) => {
    // Days that rise with the entries leave those of the bound's day to search.
    const low = entries.filter(({ day }) => day < dayOf(time)).length;
    const high = entries.filter(({ day }) => day <= dayOf(time)).length;
    return search({ low, high }, async (positions) => {
      const lookups = positions.flatMap((position) => lookupOf(list, entries[position]));
      const find = await getItems(db, lookups);
      return lookups.map(find).map((item) => item && isBeyond(createdAt(item)));
    });
  };
  const [start, end] = await Promise.all([
    from === undefined || from.endsWith(dayBegins) ? 0 : firstBeyond(from, (at) => at >= from),
    to === undefined || to.endsWith(dayEnds) ? entries.length : firstBeyond(to, (at) => at > to),
  ]);
  return entries.slice(start, end);
}

function lookupOf(list: BlockList, entry: ListEntry | undefined): readonly Lookup[] {
  if (entry === undefined) return [];
  const { table, pk } = blockItems(list, blockOf(list, Number.parseInt(entry.sk, 10)));
  return [{ table, key: { pk, sk: entry.sk } }];
}

/**
 * The first position from `low` up to `high` that is beyond a bound, or `high`. All positions after it are
 * beyond it as well. `judge` tells whether a position is; undefined if nothing is there any more.
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
