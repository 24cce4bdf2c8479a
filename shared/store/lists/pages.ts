/**
 * Reads pages of a block list; `block-list.ts` explains how.
 *
 * A page takes several reads, and records change between them. A page is *consistent* if, between the first
 * read and the last, no roll-up moved counts, no record of a block that the page was located in moved to
 * another facet key or was removed, and all located records were there to be fetched. A page that is not is
 * read again. New records and changes of other blocks do not matter: a count changes together with its
 * record, so the counts of another block are as of some moment of the read.
 *
 * Therefore a page shows as many records as it says. And if no record is inserted, is removed, or begins or
 * ceases to match while a client reads all pages, each record is on exactly one of them, however often its
 * facet key changes: every page counts and finds the same records before it.
 */
import { getItems, type Lookup, queryRange, type RawItem } from "../dynamodb/reads.ts";
import { backOff, inBudget } from "../dynamodb/retry.ts";
import { blockItems, type OwnedList } from "./block-list.ts";
import { blockRangesOf } from "./counters/counter-tree.ts";
import { type Roots, readCounterShards, readRestingRoots } from "./counters/read-nodes.ts";
import { isUnmoved } from "./counters/roll-up-progress.ts";
import { movesIn } from "./counters/shards.ts";
import { type BlockSlice, type Located, locatePage } from "./locate.ts";
import type { PageRequest } from "./page-request.ts";

export interface Page<T> {
  readonly records: readonly T[];
  readonly total: number;
}

/** Maps a page's records, and keeps the rest of the page. */
export const mapPage = <T, R, P extends Page<T>>(
  { records, ...rest }: P & Page<T>,
  present: (record: T) => R,
) => ({ ...rest, records: records.map(present) });

/**
 * How often a consistent page may have missed records that are counted. DynamoDB shows the writes of a
 * transaction a few milliseconds apart, so a record may be counted before it is found. If that lasts, the
 * counters are damaged, and the page shows what is found.
 */
const maxMissing = 3;

/** Reads until the page is consistent; roll-ups pause for it. @throws Busy if that takes too long */
export const readPage = (owned: OwnedList, request: PageRequest): Promise<Page<RawItem>> =>
  inBudget(() => readUntilConsistent(owned, request));

async function readUntilConsistent(owned: OwnedList, request: PageRequest): Promise<Page<RawItem>> {
  let missing = 0;
  for (let attempt = 1; ; attempt += 1) {
    const roots = await readRestingRoots(owned);
    if (roots !== undefined) {
      const located = await locatePage(owned, blockRangesOf(owned, roots), request);
      const records = await fetchConsistent(owned, roots, located, request);
      if (records !== undefined && located.hasMissing) missing += 1;
      if (records !== undefined && (!located.hasMissing || missing === maxMissing))
        return { records, total: located.total };
    }
    await backOff(Math.min(attempt, 3));
  }
}

/** The records located below these roots; undefined if the page is not consistent. */
async function fetchConsistent(
  owned: OwnedList,
  roots: Roots,
  { slices, blocks }: Located,
  request: PageRequest,
): Promise<readonly RawItem[] | undefined> {
  const [records, isResting, shards] = await Promise.all([
    fetchRecords(owned, slices, request.matches !== undefined),
    isUnmoved(owned, roots.progress),
    readCounterShards(owned, roots, blocks),
  ]);
  const isConsistent =
    isResting &&
    movesIn(shards, blocks) === movesIn(roots.shards, blocks) &&
    records.length === slices.reduce((sum, { keys }) => sum + keys.length, 0);
  return isConsistent ? records : undefined;
}

/**
 * Reads the records of these slices, in order. Adjacent records are read as one range and scattered ones as
 * one batch: a range is charged by its total bytes, a batch rounds each item up to 4 KB. Only filters scatter
 * records (`isFiltered`): between ids that were never used a range has nothing to read.
 */
export async function fetchRecords(
  owned: OwnedList,
  slices: readonly BlockSlice[],
  isFiltered: boolean,
): Promise<readonly RawItem[]> {
  const isScattered = ({ keys }: BlockSlice): boolean => keys.length === 1 || (isFiltered && !isDense(keys));
  const lookup = (block: number, sk: string): Lookup => {
    const { table, pk } = blockItems(owned.list, block);
    return { table, key: { pk, sk } };
  };
  const scattered = slices.filter(isScattered);
  const lookups = scattered.flatMap(({ block, keys }) => keys.map((sk) => lookup(block, sk)));
  const [find, ...ranges] = await Promise.all([
    getItems(owned.db, lookups),
    ...slices.map((slice) => (isScattered(slice) ? undefined : fetchRange(owned, slice))),
  ]);
  return slices
    .flatMap(({ block, keys }, position) =>
      keys.map((sk) => ranges[position]?.get(sk) ?? find(lookup(block, sk))),
    )
    .filter((item) => item !== undefined);
}

/** Reads all items from the first to the last record of a slice, by sort key. */
async function fetchRange(
  { db, list }: OwnedList,
  { block, keys }: BlockSlice,
): Promise<ReadonlyMap<unknown, RawItem>> {
  const { lowest, highest } = boundsOf(keys);
  if (lowest === undefined || highest === undefined) return new Map();
  const items = await queryRange(db, { ...blockItems(list, block), between: [lowest, highest] });
  return new Map(items.map((item) => [item["sk"], item]));
}

/** Whether at least every second id of the range is wanted. */
function isDense(keys: readonly string[]): boolean {
  const id = (sk = ""): number => Number.parseInt(sk, 10);
  const { lowest, highest } = boundsOf(keys);
  return id(highest) - id(lowest) + 1 <= 2 * keys.length;
}

/** The keys of a slice are in ascending or descending order. */
function boundsOf(keys: readonly string[]) {
  const [lowest, highest] = [keys.at(0), keys.at(-1)].sort();
  return { lowest, highest };
}
