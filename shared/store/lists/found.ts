/** Pages of those records of a block list that searches find, such as all orders of a reference. */
import { invalidAt, type Problem } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../dynamodb/reads.ts";
import type { Find, Wanted } from "../lookup-index.ts";
import { blockOf, entriesOf, recordKey } from "./block-list.ts";
import type { BlockList } from "./definitions.ts";
import { entriesPerUnit, isListed, type Located, toEntry } from "./locate.ts";
import type { PageRequest } from "./page-request.ts";
import { fetchRecords, type Page } from "./pages.ts";

/** A search that a query may ask for. A record is listed if every search that is asked for finds it. */
export interface Search {
  /** The query's parameter. */
  readonly field: string;
  /** What the query asks for; nothing without it. */
  readonly wanted: Wanted | undefined;
  readonly find: Find;
}

/** Most records that a search finds (docs/decisions.md, Searches). Their entries take about 200 read units. */
export const maxFound = 10_000;

/** Most found records that are filtered any further: each may take a read unit. */
export const maxFiltered = 1000;

/** Whether a query asks for one of these searches. */
export const isSearched = (searches: readonly Search[]): boolean =>
  searches.some(({ wanted }) => wanted !== undefined);

/**
 * One page of the records that all searches find, and how many of them the request matches.
 * @throws Problem `invalid` where a search finds more than `maxFound`, or more than `maxFiltered` are to be filtered
 */
export async function readFound(
  db: Database,
  list: BlockList,
  owner: string,
  searches: readonly Search[],
  request: PageRequest,
): Promise<Page<RawItem>> {
  const found = await idsOf(db, owner, searches);
  const ids = isFiltered(request) ? await filtered(db, list, found, request, searches) : found;
  const rising = ids.toSorted((left, right) => left - right);
  const { page, per_page, direction } = request;
  const onPage = (direction === "asc" ? rising : rising.toReversed()).slice(
    (page - 1) * per_page,
    page * per_page,
  );
  const byBlock = Map.groupBy(onPage, (id) => blockOf(list, id));
  const stretches = [...byBlock].map(([block, some]) => ({
    block,
    keys: some.map((id) => recordKey(list, id).sk),
  }));
  return { records: await fetchRecords(db, list, stretches, true), total: ids.length };
}

const isFiltered = ({ matches, fromDay, toDay }: PageRequest): boolean =>
  matches !== undefined || fromDay !== undefined || toDay !== undefined;

/** The ids that every search finds which is asked for. */
async function idsOf(db: Database, owner: string, searches: readonly Search[]): Promise<readonly number[]> {
  const results = await Promise.all(
    searches.map(async (search) => {
      const { wanted, find } = search;
      if (wanted === undefined) return [];
      const ids = await find(db, owner, wanted, maxFound + 1);
      if (ids.length > maxFound) throw tooMany([search], maxFound);
      return [new Set(ids)];
    }),
  );
  const [first = new Set<number>(), ...others] = results.flat();
  return [...first].filter((id) => others.every((ids) => ids.has(id)));
}

/** Those of the found records that the request matches. */
async function filtered(
  db: Database,
  list: BlockList,
  ids: readonly number[],
  request: PageRequest,
  searches: readonly Search[],
): Promise<readonly number[]> {
  if (ids.length > maxFiltered) throw tooMany(searches, maxFiltered, " to be filtered any further");
  const located = await locate(db, list, ids);
  return ids.filter((id) => {
    const entry = located.get(recordKey(list, id).sk);
    return entry !== undefined && isListed(entry, request);
  });
}

/**
 * What the found records are filtered by, by their sort keys. A block that has many of them is read by its slim index.
 * Of the others each record is read.
 */
async function locate(
  db: Database,
  list: BlockList,
  ids: readonly number[],
): Promise<ReadonlyMap<string, Located>> {
  const readsIndex = (some: readonly number[]): boolean => some.length > list.blockSize / entriesPerUnit;
  const byBlock = [...Map.groupBy(ids, (id) => blockOf(list, id))];
  const scattered = byBlock.flatMap(([, some]) => (readsIndex(some) ? [] : some));
  const lookups = scattered.map((id): Lookup => ({ table: list.table, key: recordKey(list, id) }));
  const [find, ...entries] = await Promise.all([
    getItems(db, lookups, ["cell", "day"]),
    ...byBlock.map(([block, some]) => (readsIndex(some) ? queryRange(db, entriesOf(list, block)) : [])),
  ]);
  const items = [...entries.flat(), ...lookups.map(find).filter((item) => item !== undefined)];
  return new Map(items.map(toEntry).map((entry) => [entry.sk, entry]));
}

/** More are found than one list can be made of. */
function tooMany(searches: readonly Search[], most: number, purpose = ""): Problem {
  const asked = searches.flatMap(({ field, wanted }) =>
    wanted === undefined ? [] : [{ path: field, ...wanted }],
  );
  return invalidAt(
    asked.map(({ path, begins }) => ({
      path,
      message: `matches more than ${most} records, too many${purpose}; ${begins ? "send more characters" : "search by something else"}`,
    })),
  );
}
