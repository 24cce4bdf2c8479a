/** Reading the pages of a block list; `block-list.ts` explains it. */
import type { Database } from "../database.ts";
import { joined } from "../keys.ts";
import { getItems, queryRange, type RawItem } from "../reads.ts";
import type { BlockList } from "./definitions.ts";
import type { Cell } from "./facets.ts";
import { readTallies, type Tally } from "./tallies.ts";

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly per_page: number;
  readonly direction: "asc" | "desc";
  /** Which cells are wanted; all without it. */
  readonly matches?: (cell: Cell) => boolean;
  /** Days (UTC, counted from 1970) of creation, both inclusive. */
  readonly fromDay?: number;
  readonly toDay?: number;
}

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

interface Entry {
  readonly sk: string;
  readonly cell: Cell;
  readonly day: number;
}

/** A block that has wanted records, and how many. `entries` says which, where they had to be read to be counted. */
interface Candidate {
  readonly tally: Tally;
  readonly count: number;
  readonly entries?: readonly Entry[];
}

/** Reads one page and the exact number of records that the request matches. */
export async function readPage(
  db: Database,
  list: BlockList,
  owner: string,
  request: PageRequest,
): Promise<Page<RawItem>> {
  return pageOf(db, list, await readTallies(db, list, owner), request);
}

/** Reads one page of the blocks that `tallies` count, which rise. */
export async function pageOf(
  db: Database,
  list: Pick<BlockList, "table" | "name">,
  tallies: readonly Tally[],
  request: PageRequest,
): Promise<Page<RawItem>> {
  const candidates = await Promise.all(
    within(tallies, request).map((tally) => candidate(db, list, tally, request)),
  );
  if (request.direction === "desc") candidates.reverse();
  const total = candidates.reduce((sum, { count }) => sum + count, 0);
  const stretches = await Promise.all(
    spans(candidates, request).map(async ({ candidate: { tally, entries }, from, to }) => {
      const located = entries ?? (await locate(db, list, tally, request));
      return { tally, keys: inOrder(located, request).slice(from, to) };
    }),
  );
  const parts = await Promise.all(
    stretches.map(({ tally, keys }) => fetchRecords(db, list, tally, keys, request)),
  );
  return { records: parts.flat(), total };
}

const wanted = (tally: Tally, { matches }: PageRequest): readonly Cell[] =>
  [...tally.cells].filter(([cell, count]) => count > 0 && (matches?.(cell) ?? true)).map(([cell]) => cell);

/** Blocks that can hold a record of the wanted days and cells. */
function within(tallies: readonly Tally[], request: PageRequest): readonly Tally[] {
  const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = request;
  return tallies.filter(
    (tally) => tally.firstDay <= toDay && tally.lastDay >= fromDay && wanted(tally, request).length > 0,
  );
}

/** Counts by the tally alone where all of the block's days are wanted. At most two blocks have days beyond a bound. */
async function candidate(
  db: Database,
  list: Pick<BlockList, "table" | "name">,
  tally: Tally,
  request: PageRequest,
): Promise<Candidate> {
  const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = request;
  if (fromDay <= tally.firstDay && tally.lastDay <= toDay) {
    const count = wanted(tally, request).reduce((sum, cell) => sum + (tally.cells.get(cell) ?? 0), 0);
    return { tally, count };
  }
  const entries = await locate(db, list, tally, request);
  return { tally, count: entries.length, entries };
}

/** Which stretch of which blocks the page covers. */
function spans(candidates: readonly Candidate[], { page, per_page }: PageRequest) {
  const first = (page - 1) * per_page;
  const result: { candidate: Candidate; from: number; to: number }[] = [];
  let passed = 0;
  for (const candidate of candidates) {
    const from = Math.max(first - passed, 0);
    const to = Math.min(first + per_page - passed, candidate.count);
    if (from < to) result.push({ candidate, from, to });
    passed += candidate.count;
  }
  return result;
}

/** The wanted records of a block, by the slim index: one range that spans all wanted cells. */
async function locate(
  db: Database,
  list: Pick<BlockList, "table" | "name">,
  tally: Tally,
  request: PageRequest,
): Promise<readonly Entry[]> {
  const cells = [...wanted(tally, request)].sort();
  const [lowest, highest] = [cells.at(0), cells.at(-1)];
  if (lowest === undefined || highest === undefined) return [];
  const items = await queryRange(db, {
    table: list.table,
    pk: joined(list.name, tally.block),
    index: { name: "cells", sortKey: "cell" },
    between: [lowest, highest],
  });
  const { matches, fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = request;
  return items
    .map(toEntry)
    .filter(({ cell, day }) => (matches?.(cell) ?? true) && day >= fromDay && day <= toDay);
}

function toEntry({ sk, cell, day }: RawItem): Entry {
  if (typeof sk !== "string" || typeof cell !== "string" || typeof day !== "number") {
    throw new Error("an index entry lacks its sort key, cell or day");
  }
  return { sk, cell, day };
}

function inOrder(entries: readonly Entry[], { direction }: PageRequest): readonly string[] {
  const keys = entries.map(({ sk }) => sk).sort();
  return direction === "asc" ? keys : keys.reverse();
}

/**
 * Reads the records with these sort keys, in this order. Neighbours are read as one range: a range is charged by its
 * bytes, a batch by its items, each rounded up to 4 KB. Scattered records are read as a batch.
 */
async function fetchRecords(
  db: Database,
  list: Pick<BlockList, "table" | "name">,
  tally: Tally,
  keys: readonly string[],
  request: PageRequest,
): Promise<readonly RawItem[]> {
  const pk = joined(list.name, tally.block);
  const ordered = [...keys].sort();
  const [lowest, highest] = [ordered.at(0), ordered.at(-1)];
  if (lowest === undefined || highest === undefined) return [];
  if (request.matches !== undefined && !dense(lowest, highest, keys.length)) {
    const find = await getItems(
      db,
      keys.map((sk) => ({ table: list.table, key: { pk, sk } })),
    );
    return keys
      .map((sk) => find({ table: list.table, key: { pk, sk } }))
      .filter((item) => item !== undefined);
  }
  const items = await queryRange(db, { table: list.table, pk, between: [lowest, highest] });
  const bySortKey = new Map(items.map((item) => [item["sk"], item]));
  return keys.map((sk) => bySortKey.get(sk)).filter((item) => item !== undefined);
}

/** Whether a range read finds mostly what is wanted: the ids between lie no thinner than every second one. */
function dense(lowest: string, highest: string, count: number): boolean {
  const id = (sk: string) => Number.parseInt(sk, 10);
  return id(highest) - id(lowest) + 1 <= 2 * count;
}
