/** Reads pages of a block list; `block-list.ts` explains how. */
import type { Database } from "../dynamodb/database.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../dynamodb/reads.ts";
import { backOff, inBudget } from "../dynamodb/retry.ts";
import { itemsOf } from "./block-list.ts";
import { blockRangesOf } from "./counters/counter-tree.ts";
import { type Roots, readRoots } from "./counters/nodes.ts";
import { isRollingUp, readProgress } from "./counters/roll-up-progress.ts";
import type { BlockList } from "./definitions.ts";
import { type BlockSlice, locatePage } from "./locate.ts";
import type { PageRequest } from "./page-request.ts";

/** One page of records, and the number of records on all pages. */
export interface Page<T> {
  readonly records: readonly T[];
  readonly total: number;
}

/** Maps a page's records; the total stays. */
export const mapPage = <T, R>({ records, total }: Page<T>, present: (record: T) => R): Page<R> => ({
  records: records.map(present),
  total,
});

/**
 * Reads one page and the exact number of matching records. If a roll-up changes the nodes between its reads,
 * or a record of the page is deleted, it reads again. Roll-ups pause in between to allow this; see
 * `counters/roll-up.ts`.
 * @throws Busy if it is interrupted for too long
 */
export const readPage = (
  db: Database,
  list: BlockList,
  owner: string,
  request: PageRequest,
): Promise<Page<RawItem>> => inBudget(() => attemptPage(db, list, owner, request));

async function attemptPage(
  db: Database,
  list: BlockList,
  owner: string,
  request: PageRequest,
): Promise<Page<RawItem>> {
  for (let attempt = 1; ; attempt += 1) {
    const roots = await readRoots(db, list, owner);
    const page = isRollingUp(roots.progress) ? undefined : await pageOf(db, list, owner, roots, request);
    if (page !== undefined) return page;
    await backOff(Math.min(attempt, 3));
  }
}

/** The page below these roots; undefined if a roll-up or a deletion happened meanwhile. */
async function pageOf(
  db: Database,
  list: BlockList,
  owner: string,
  roots: Roots,
  request: PageRequest,
): Promise<Page<RawItem> | undefined> {
  const { slices, total } = await locatePage(db, list, blockRangesOf(db, list, roots), request);
  const [records, progress] = await Promise.all([
    fetchRecords(db, list, slices, request.matches !== undefined),
    readProgress(db, list, owner),
  ]);
  const located = slices.reduce((sum, { keys }) => sum + keys.length, 0);
  const isWhole = records.length === located && progress.count === roots.progress.count;
  return isWhole ? { records, total } : undefined;
}

/**
 * Reads the records of these slices, in order. `gaps` says that a slice may skip records. Adjacent records
 * are read as one range and scattered ones as one batch: a range is charged by its total bytes, a batch
 * rounds each item up to 4 KB.
 */
export async function fetchRecords(
  db: Database,
  list: BlockList,
  slices: readonly BlockSlice[],
  gaps: boolean,
): Promise<readonly RawItem[]> {
  const isScattered = ({ keys }: BlockSlice): boolean => keys.length === 1 || (gaps && !isDense(keys));
  const lookup = (block: number, sk: string): Lookup => {
    const { table, pk } = itemsOf(list, block);
    return { table, key: { pk, sk } };
  };
  const scattered = slices.filter(isScattered);
  const lookups = scattered.flatMap(({ block, keys }) => keys.map((sk) => lookup(block, sk)));
  const [find, ...ranges] = await Promise.all([
    getItems(db, lookups),
    ...slices.map((slice) => (isScattered(slice) ? undefined : fetchRange(db, list, slice))),
  ]);
  return slices
    .flatMap(({ block, keys }, position) =>
      keys.map((sk) => ranges[position]?.get(sk) ?? find(lookup(block, sk))),
    )
    .filter((item) => item !== undefined);
}

/** Reads all items from the first to the last record of a slice, by sort key. */
async function fetchRange(
  db: Database,
  list: BlockList,
  { block, keys }: BlockSlice,
): Promise<ReadonlyMap<unknown, RawItem>> {
  const { lowest, highest } = boundsOf(keys);
  if (lowest === undefined || highest === undefined) return new Map();
  const items = await queryRange(db, { ...itemsOf(list, block), between: [lowest, highest] });
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
