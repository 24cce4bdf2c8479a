/**
 * Locates the records of a page by descending the counter tree.
 *
 * A *part* is a range of blocks with a lower and an upper bound on its matching records. The bounds differ
 * only if the range extends beyond the requested times or ids. Each pass refines, in parallel, the parts with
 * unequal bounds and those that the page lies in: a range into smaller ranges, a block into its records. At
 * the end all bounds are equal, so the total is exact, and the records of the page are located.
 *
 * A block that is read has as many records as are found in it, whatever its counters say: the page and the
 * total follow what is found, so a page never counts a record that it does not show. If the block has fewer
 * than the counters say, the page reaches into the next block, which is read in another pass.
 *
 * What is found may still be incomplete, because the counters are read first, and say which facet keys to
 * look up: a record that has changed its facet key since then is not found under the new one. The caller
 * therefore checks that no record of these blocks changed meanwhile (`pages.ts`).
 */
import { queryRange } from "../dynamodb/reads.ts";
import { type BlockList, indexEntriesOf, type OwnedList } from "./block-list.ts";
import { type BlockRange, endless } from "./counters/counter-tree.ts";
import { createdWithin } from "./creation-times.ts";
import type { FacetKey } from "./facets.ts";
import { isListed, type ListEntry, type PageRequest, spansOf, toEntry } from "./page-request.ts";

/** The sort keys of a page's records in one block, in page order. */
export interface BlockSlice {
  readonly block: number;
  readonly keys: readonly string[];
}

export interface Located {
  readonly slices: readonly BlockSlice[];
  /** The number of matching records. */
  readonly total: number;
  /** The blocks that were read. In the total, their records count as found, and all others as counted. */
  readonly blocks: readonly number[];
  /** Whether a block has fewer records of a matching facet key than are counted. */
  readonly hasMissing: boolean;
}

interface FoundKeys {
  /** The sort keys of the matching records, in page order. */
  readonly keys: readonly string[];
  readonly hasMissing: boolean;
}

interface ListPart {
  readonly range: BlockRange;
  /** Bounds on the number of matching records. */
  readonly min: number;
  readonly max: number;
  /** Present for a block that was read; both bounds are the number of its keys. */
  readonly found?: FoundKeys;
}

/** Maximum ranges to refine on the guess that the page is in them, while its position is not known. */
const maxGuesses = 3;

/** Locates the page in these ranges, which are in ascending order, and counts all matching records. */
export async function locatePage(
  owned: OwnedList,
  ranges: readonly BlockRange[],
  request: PageRequest,
): Promise<Located> {
  let parts = partsOf(owned.list, ranges, request);
  for (;;) {
    const chosen = toRefine(parts, request);
    if (chosen.length === 0) break;
    const refined = await Promise.all(chosen.map((part) => refine(owned, part, request)));
    const finer = new Map(chosen.map((part, position) => [part, refined[position] ?? []]));
    parts = parts.flatMap((part) => finer.get(part) ?? [part]);
  }
  const read = parts.filter(({ found }) => found !== undefined);
  return {
    slices: spansOf(parts, ({ min }) => min, request).map(({ part: { range, found }, from, to }) => ({
      block: range.block,
      keys: found?.keys.slice(from, to) ?? [],
    })),
    total: parts.reduce((sum, { min }) => sum + min, 0),
    blocks: read.map(({ range }) => range.block),
    hasMissing: read.some(({ found }) => found?.hasMissing),
  };
}

const isExact = ({ min, max }: ListPart): boolean => min === max;

const isMatching = (facetKey: FacetKey, count: number, { matches }: PageRequest): boolean =>
  count > 0 && (matches?.(facetKey) ?? true);

function countMatching({ counts }: BlockRange, request: PageRequest): number {
  let sum = 0;
  for (const [facetKey, count] of counts) if (isMatching(facetKey, count, request)) sum += count;
  return sum;
}

/** The parts that may have matching records, in page order. */
function partsOf(
  { blockSize }: BlockList,
  ranges: readonly BlockRange[],
  request: PageRequest,
): readonly ListPart[] {
  const { created, toId = Number.POSITIVE_INFINITY } = request;
  const { from = "", to = endless } = created ?? {};
  const parts = ranges
    .filter(({ block }) => block * blockSize <= toId)
    .filter(({ firstAt, lastAt }) => firstAt <= to && lastAt >= from)
    .map((range): ListPart => {
      const max = countMatching(range, request);
      const isInIds = toId === Number.POSITIVE_INFINITY || range.end * blockSize <= toId + 1;
      return { range, min: isInIds && from <= range.firstAt && range.lastAt <= to ? max : 0, max };
    })
    .filter(({ max }) => max > 0);
  return request.direction === "asc" ? parts : parts.reverse();
}

/** The parts to refine next; none if the page and the total are known. */
function toRefine(parts: readonly ListPart[], request: PageRequest): readonly ListPart[] {
  const vague = parts.filter((part) => !isExact(part));
  const onPage = onPageOf(parts, request).filter((part) => isExact(part) && part.found === undefined);
  if (vague.length === 0) return onPage;
  const guesses = onPage.filter(({ range }) => range.finer !== undefined);
  return guesses.length > maxGuesses ? vague : [...vague, ...guesses];
}

/** The parts in which the page may be. */
function onPageOf(parts: readonly ListPart[], { page, per_page }: PageRequest): readonly ListPart[] {
  const [first, end] = [(page - 1) * per_page, page * per_page];
  let [min, max] = [0, 0];
  return parts.filter((part) => {
    const begins = min;
    min += part.min;
    max += part.max;
    return begins < end && max > first;
  });
}

async function refine(owned: OwnedList, part: ListPart, request: PageRequest): Promise<readonly ListPart[]> {
  const { range } = part;
  if (range.finer !== undefined) return partsOf(owned.list, await range.finer(), request);
  const found = await readBlock(owned, range, request);
  return [{ range, min: found.keys.length, max: found.keys.length, found }];
}

/** Index entries per read unit. With more between two facet keys, these are read as separate ranges. */
export const entriesPerUnit = 85;

async function readBlock(owned: OwnedList, range: BlockRange, request: PageRequest): Promise<FoundKeys> {
  const items = await Promise.all(
    facetKeyRanges(range, request).map((between) =>
      queryRange(owned.db, { ...indexEntriesOf(owned.list, range.block), between }),
    ),
  );
  const entries = items.flat().map(toEntry);
  const listed = entries.filter(isListed(request)).sort((left, right) => (left.sk < right.sk ? -1 : 1));
  const keys = (await createdWithin(owned, listed, request)).map(({ sk }) => sk);
  return {
    keys: request.direction === "asc" ? keys : keys.reverse(),
    hasMissing: hasMissing(range, entries, request),
  };
}

/** Whether there are fewer entries of a matching facet key than the range counts. */
function hasMissing({ counts }: BlockRange, entries: readonly ListEntry[], request: PageRequest): boolean {
  const found = Map.groupBy(entries, ({ facetKey }) => facetKey);
  return [...counts].some(
    ([facetKey, count]) => isMatching(facetKey, count, request) && (found.get(facetKey)?.length ?? 0) < count,
  );
}

/** The ranges of facet keys to read. */
function facetKeyRanges(
  { counts }: BlockRange,
  request: PageRequest,
): readonly (readonly [FacetKey, FacetKey])[] {
  const ranges: [FacetKey, FacetKey][] = [];
  let between = 0;
  for (const [facetKey, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const last = ranges.at(-1);
    if (!isMatching(facetKey, count, request)) between += count;
    else {
      if (last === undefined || between > entriesPerUnit) ranges.push([facetKey, facetKey]);
      else last[1] = facetKey;
      between = 0;
    }
  }
  return ranges;
}
