/** Reading the pages of a block list; `block-list.ts` explains it. */
import type { Database } from "../database.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../reads.ts";
import { backOff, inBudget } from "../retry.ts";
import { itemsOf } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import { foldsOf, isFolding } from "./folds.ts";
import { locatePage, type Stretch } from "./locate.ts";
import { readTop, type Top } from "./nodes.ts";
import type { PageRequest } from "./page-request.ts";
import { talliesOf } from "./tally-tree.ts";

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
 * between its reads. Folds leave time between them; see `fold.ts`.
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
    const top = await readTop(db, list, owner);
    const page = isFolding(top.folds) ? undefined : await pageOf(db, list, owner, top, request);
    if (page !== undefined) return page;
    await backOff(Math.min(attempt, 3));
  }
}

/** The page below this top; undefined where the owner was folded meanwhile. */
async function pageOf(
  db: Database,
  list: BlockList,
  owner: string,
  top: Top,
  request: PageRequest,
): Promise<Page<RawItem> | undefined> {
  const { stretches, total } = await locatePage(db, list, talliesOf(db, list, top), request);
  const [records, folds] = await Promise.all([
    fetchRecords(db, list, stretches, request.matches !== undefined),
    foldsOf(db, list, owner),
  ]);
  return folds.count === top.folds.count ? { records, total } : undefined;
}

/** Reads the records of these stretches, in their order. `gaps` says that others may lie between those of a stretch. */
export async function fetchRecords(
  db: Database,
  list: BlockList,
  stretches: readonly Stretch[],
  gaps: boolean,
): Promise<readonly RawItem[]> {
  const parts = await Promise.all(stretches.map((stretch) => fetchStretch(db, list, stretch, gaps)));
  return parts.flat();
}

/**
 * Reads the records with these sort keys, in this order. Neighbours are read as one range: a range is charged by its
 * bytes, a batch by its items, each rounded up to 4 KB. Scattered records are read as a batch.
 */
async function fetchStretch(
  db: Database,
  list: BlockList,
  { block, keys }: Stretch,
  gaps: boolean,
): Promise<readonly RawItem[]> {
  const range = itemsOf(list, block);
  const ordered = [...keys].sort();
  const [lowest, highest] = [ordered.at(0), ordered.at(-1)];
  if (lowest === undefined || highest === undefined) return [];
  if (gaps && !dense(lowest, highest, keys.length)) {
    const lookups = keys.map((sk): Lookup => ({ table: range.table, key: { pk: range.pk, sk } }));
    const find = await getItems(db, lookups);
    return lookups.map(find).filter((item) => item !== undefined);
  }
  const items = await queryRange(db, { ...range, between: [lowest, highest] });
  const bySortKey = new Map(items.map((item) => [item["sk"], item]));
  return keys.map((sk) => bySortKey.get(sk)).filter((item) => item !== undefined);
}

/** Whether a range read finds mostly what is wanted: the ids between lie no thinner than every second one. */
function dense(lowest: string, highest: string, count: number): boolean {
  const id = (sk: string) => Number.parseInt(sk, 10);
  return id(highest) - id(lowest) + 1 <= 2 * count;
}
