/**
 * Locating the records of a page, by tallies that come apart into finer ones.
 *
 * A *part* is a tally of which it is known, more or less, how many wanted records it has. It is not exactly known while
 * the bounds of the wanted days lie within the part. Each round refines the parts that are not exact, and those that
 * the page lies in: tallies of many blocks into finer ones, a block into its records. It takes one read of each, side by
 * side. At the end every part is exact, so the total is, and the page's records are located.
 */
import type { Database } from "../dynamodb/database.ts";
import { queryRange, type RawItem } from "../dynamodb/reads.ts";
import { entriesOf } from "./block-list.ts";
import type { BlockRange } from "./counters/counter-tree.ts";
import type { BlockList } from "./definitions.ts";
import type { FacetKey } from "./facets.ts";
import { type PageRequest, spansOf } from "./page-request.ts";

/** Records of one block that lie on the page, by their sort keys, in the order of the page. */
export interface Stretch {
  readonly block: number;
  readonly keys: readonly string[];
}

interface Part {
  readonly tally: BlockRange;
  /** It has at least and at most so many wanted records. */
  readonly least: number;
  readonly most: number;
  /** The wanted records, once they are located, by their sort keys, in the order of the page. */
  readonly keys?: readonly string[];
}

/** Most tallies of many blocks that are refined because the page may lie in them, while it is not sure where it lies. */
const maxGuesses = 3;

/** Locates the page in the blocks that `tallies` count, which rise, and counts what the request matches. */
export async function locatePage(
  db: Database,
  list: BlockList,
  tallies: readonly BlockRange[],
  request: PageRequest,
): Promise<{ readonly stretches: readonly Stretch[]; readonly total: number }> {
  let parts = partsOf(tallies, request);
  for (;;) {
    const chosen = toRefine(parts, request);
    if (chosen.length === 0) break;
    const refined = await Promise.all(chosen.map((part) => refine(db, list, part, request)));
    const finer = new Map(chosen.map((part, position) => [part, refined[position] ?? []]));
    parts = parts.flatMap((part) => finer.get(part) ?? [part]);
  }
  const total = parts.reduce((sum, { least }) => sum + least, 0);
  // Every part that the page lies in is located.
  const stretches = spansOf(parts, ({ least }) => least, request).map(
    ({ part: { tally, keys = [] }, from, to }) => ({ block: tally.block, keys: keys.slice(from, to) }),
  );
  return { stretches, total };
}

const isExact = ({ least, most }: Part): boolean => least === most;

/** Whether a tally has records of a cell, and they are wanted. */
const isWanted = (cell: FacetKey, count: number, { matches }: PageRequest): boolean =>
  count > 0 && (matches?.(cell) ?? true);

/** How many records of wanted cells a tally counts. */
function wantedOf({ cells }: BlockRange, request: PageRequest): number {
  let sum = 0;
  for (const [cell, count] of cells) if (isWanted(cell, count, request)) sum += count;
  return sum;
}

/** The parts that can have wanted records, in the order of the page. */
function partsOf(tallies: readonly BlockRange[], request: PageRequest): readonly Part[] {
  const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = request;
  const parts = tallies
    .filter(({ firstDay, lastDay }) => firstDay <= toDay && lastDay >= fromDay)
    .map((tally): Part => {
      const most = wantedOf(tally, request);
      const isWithin = fromDay <= tally.firstDay && tally.lastDay <= toDay;
      return { tally, least: isWithin ? most : 0, most };
    })
    .filter(({ most }) => most > 0);
  return request.direction === "asc" ? parts : parts.reverse();
}

/** The parts of the next round; none once the page and the total are known. */
function toRefine(parts: readonly Part[], request: PageRequest): readonly Part[] {
  const vague = parts.filter((part) => !isExact(part));
  const onPage = onPageOf(parts, request).filter((part) => isExact(part) && part.keys === undefined);
  if (vague.length === 0) return onPage;
  const guesses = onPage.filter(({ tally }) => tally.finer !== undefined);
  return guesses.length > maxGuesses ? vague : [...vague, ...guesses];
}

/** The parts that the page lies in, or may lie in. */
function onPageOf(parts: readonly Part[], { page, per_page }: PageRequest): readonly Part[] {
  const [first, end] = [(page - 1) * per_page, page * per_page];
  let [least, most] = [0, 0];
  return parts.filter((part) => {
    const begins = least;
    least += part.least;
    most += part.most;
    return begins < end && most > first;
  });
}

async function refine(
  db: Database,
  list: BlockList,
  part: Part,
  request: PageRequest,
): Promise<readonly Part[]> {
  const { tally } = part;
  if (tally.finer !== undefined) return partsOf(await tally.finer(), request);
  const keys = await locateIn(db, list, tally, request);
  // Where the tally tells the number, the total is as of the tally, though the block may have changed since.
  return [isExact(part) ? { ...part, keys } : { tally, least: keys.length, most: keys.length, keys }];
}

/**
 * Entries of the index that a read unit covers. Wanted cells that lie further apart are read by ranges of their own, so
 * that what lies between them is not paid for.
 */
export const entriesPerUnit = 85;

/** The wanted records of a block, by the slim index: their sort keys in the order of the page. */
async function locateIn(
  db: Database,
  list: BlockList,
  tally: BlockRange,
  request: PageRequest,
): Promise<readonly string[]> {
  const found = await Promise.all(
    rangesOf(tally, request).map((between) => queryRange(db, { ...entriesOf(list, tally.block), between })),
  );
  const keys = found
    .flat()
    .map(toEntry)
    .filter((entry) => isListed(entry, request))
    .map(({ sk }) => sk)
    .sort();
  return request.direction === "asc" ? keys : keys.reverse();
}

/** The ranges of cells that hold the wanted ones. */
function rangesOf({ cells }: BlockRange, request: PageRequest): readonly (readonly [FacetKey, FacetKey])[] {
  const ranges: [FacetKey, FacetKey][] = [];
  let between = 0;
  for (const [cell, count] of [...cells].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const last = ranges.at(-1);
    if (!isWanted(cell, count, request)) between += count;
    else {
      if (last === undefined || between > entriesPerUnit) ranges.push([cell, cell]);
      else last[1] = cell;
      between = 0;
    }
  }
  return ranges;
}

/** What a record is filtered by, and its sort key. */
export interface Located {
  readonly sk: string;
  readonly cell: FacetKey;
  readonly day: number;
}

/** Whether a record is one of those that the request asks for. */
export function isListed({ cell, day }: Located, { matches, ...days }: PageRequest): boolean {
  const { fromDay = Number.NEGATIVE_INFINITY, toDay = Number.POSITIVE_INFINITY } = days;
  return (matches?.(cell) ?? true) && day >= fromDay && day <= toDay;
}

export function toEntry({ sk, cell, day }: RawItem): Located {
  if (typeof sk !== "string" || typeof cell !== "string" || typeof day !== "number") {
    throw new Error("an index entry lacks its sort key, cell or day");
  }
  return { sk, cell, day };
}
