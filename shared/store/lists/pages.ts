/** Reading the pages of a block list; `block-list.ts` explains it. */
import type { Database } from "../dynamodb/database.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../dynamodb/reads.ts";
import { backOff, inBudget } from "../dynamodb/retry.ts";
import { itemsOf } from "./block-list.ts";
import { blockRangesOf } from "./counters/counter-tree.ts";
import { type Roots, readRoots } from "./counters/nodes.ts";
import { isRollingUp, readProgress } from "./counters/roll-up-progress.ts";
import type { BlockList } from "./definitions.ts";
import { locatePage, type Stretch } from "./locate.ts";
import type { PageRequest } from "./page-request.ts";

/** The records of one page, and how many there are on all pages. */
export interface Page<T> {
  readonly records: readonly T[];
  readonly total: number;
}

/** The same page of records as something else makes of them. */
export const mapPage = <T, R>({ records, total }: Page<T>, present: (record: T) => R): Page<R> => ({
  records: records.map(present),
  total,
});

/**
 * Reads one page and the exact number of records that the request matches. A page is read again where a fold came
 * between its reads. Roll-ups leave time between them; see `roll-up.ts`.
 * @throws Busy where folds came between for too long
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
    const top = await readRoots(db, list, owner);
    const page = isRollingUp(top.folds) ? undefined : await pageOf(db, list, owner, top, request);
    if (page !== undefined) return page;
    await backOff(Math.min(attempt, 3));
  }
}

/** The page below this top; undefined where the owner was folded meanwhile. */
async function pageOf(
  db: Database,
  list: BlockList,
  owner: string,
  top: Roots,
  request: PageRequest,
): Promise<Page<RawItem> | undefined> {
  const { stretches, total } = await locatePage(db, list, blockRangesOf(db, list, top), request);
  const [records, folds] = await Promise.all([
    fetchRecords(db, list, stretches, request.matches !== undefined),
    readProgress(db, list, owner),
  ]);
  return folds.count === top.folds.count ? { records, total } : undefined;
}

/**
 * Reads the records of these stretches, in their order. `gaps` says that others may lie between those of a stretch.
 * Neighbours are read as one range: a range is charged by its bytes, a batch by its items, each rounded up to 4 KB. What is
 * scattered, in one block or over many, is read as one batch.
 */
export async function fetchRecords(
  db: Database,
  list: BlockList,
  stretches: readonly Stretch[],
  gaps: boolean,
): Promise<readonly RawItem[]> {
  const isScattered = ({ keys }: Stretch): boolean => keys.length === 1 || (gaps && !isDense(keys));
  const lookup = (block: number, sk: string): Lookup => {
    const { table, pk } = itemsOf(list, block);
    return { table, key: { pk, sk } };
  };
  const scattered = stretches.filter(isScattered);
  const lookups = scattered.flatMap(({ block, keys }) => keys.map((sk) => lookup(block, sk)));
  const [find, ...ranges] = await Promise.all([
    getItems(db, lookups),
    ...stretches.map((stretch) => (isScattered(stretch) ? undefined : fetchRange(db, list, stretch))),
  ]);
  return stretches
    .flatMap(({ block, keys }, position) =>
      keys.map((sk) => ranges[position]?.get(sk) ?? find(lookup(block, sk))),
    )
    .filter((item) => item !== undefined);
}

/** Reads what lies from the first of a stretch's records to the last, by sort key. */
async function fetchRange(
  db: Database,
  list: BlockList,
  { block, keys }: Stretch,
): Promise<ReadonlyMap<unknown, RawItem>> {
  const { lowest, highest } = boundsOf(keys);
  if (lowest === undefined || highest === undefined) return new Map();
  const items = await queryRange(db, { ...itemsOf(list, block), between: [lowest, highest] });
  return new Map(items.map((item) => [item["sk"], item]));
}

/** Whether a range read finds mostly what is wanted: the ids between lie no thinner than every second one. */
function isDense(keys: readonly string[]): boolean {
  const id = (sk = ""): number => Number.parseInt(sk, 10);
  const { lowest, highest } = boundsOf(keys);
  return id(highest) - id(lowest) + 1 <= 2 * keys.length;
}

/** The keys of a stretch rise or fall. */
function boundsOf(keys: readonly string[]) {
  const [lowest, highest] = [keys.at(0), keys.at(-1)].sort();
  return { lowest, highest };
}
