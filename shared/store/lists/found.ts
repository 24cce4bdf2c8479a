/** Pages of the records that searches find, such as all orders of a reference. */
import { invalidAt, type Problem } from "../../common/problem.ts";
import type { Database } from "../dynamodb/database.ts";
import { getItems, type Lookup, queryRange, type RawItem } from "../dynamodb/reads.ts";
import { type Find, maxPassedOver, TooManyArchived, type Wanted } from "../lookup-index.ts";
import { blockOf, indexEntriesOf, type OwnedList, recordKey } from "./block-list.ts";
import { createdWithin } from "./creation-times.ts";
import { facetKeyAttribute } from "./facets.ts";
import { entriesPerUnit } from "./locate.ts";
import { isListed, type ListEntry, type PageRequest, toEntry } from "./page-request.ts";
import { fetchRecords, type Page } from "./pages.ts";
import type { Finder } from "./repository.ts";

/** A search that a query requests. A record is listed if every search finds it. */
export interface Search {
  readonly field: string;
  /** Finds the ids of at most `limit` records of an owner, each once and in any order. */
  readonly find: (db: Database, owner: string, limit: number) => Promise<readonly number[]>;
  /** What to do if it finds too many. */
  readonly remedy: string;
}

/** Texts that a query lists, one of which a record must have. */
export interface WantedTexts {
  readonly parts: readonly Wanted[];
  /** The whole list as one text, if it may be one: the texts are then used only if no record has it. */
  readonly whole?: string | undefined;
}

/** A search for texts; undefined if the query does not request it. */
export function textSearch(field: string, wanted: WantedTexts | undefined, find: Find): Search | undefined {
  if (wanted === undefined) return undefined;
  const { parts, whole } = wanted;
  const begins = parts.some((part) => part.begins);
  return {
    field,
    remedy: begins ? "send more characters" : "search by something else",
    find: async (db, owner, limit) => {
      const wholes = whole === undefined ? [] : [{ text: whole, begins: false }];
      const found = await find(db, owner, [...wholes, ...parts], limit);
      const [ofWhole = []] = found.slice(0, wholes.length);
      return ofWhole.length > 0 ? ofWhole : [...new Set(found.slice(wholes.length).flat())];
    },
  };
}

/** A search for the owner's records with these ids; undefined if the query does not request it. */
export const idSearch = (
  field: string,
  ids: readonly number[] | undefined,
  { findAll }: Pick<Finder<unknown>, "findAll">,
): Search | undefined =>
  ids && {
    field,
    remedy: "name fewer",
    find: async (db, owner) => [...(await findAll(db, owner, ids)).keys()],
  };

/** Maximum results of a search (docs/decisions.md, Searches): entries of about 200 read units. */
export const maxFound = 10_000;

/** Maximum results that are filtered further. Each may take a read unit. */
export const maxFiltered = 1000;

/**
 * @throws Problem `invalid` if a search finds more than `maxFound`, or than `maxFiltered` to be filtered, or
 * passes over more than `maxPassedOver`
 */
export async function readFound(
  owned: OwnedList,
  searches: readonly Search[],
  request: PageRequest,
): Promise<Page<RawItem>> {
  const { list } = owned;
  const found = await idsOf(owned, searches);
  const ids = isFiltered(request) ? await filterFound(owned, found, request, searches) : found;
  const rising = ids.toSorted((left, right) => left - right);
  const { page, per_page, direction } = request;
  const onPage = (direction === "asc" ? rising : rising.toReversed()).slice(
    (page - 1) * per_page,
    page * per_page,
  );
  const byBlock = Map.groupBy(onPage, (id) => blockOf(list, id));
  const slices = [...byBlock].map(([block, some]) => ({
    block,
    keys: some.map((id) => recordKey(list, id).sk),
  }));
  return { records: await fetchRecords(owned, slices, true), total: ids.length };
}

const isFiltered = ({ matches, created }: PageRequest): boolean =>
  matches !== undefined || created !== undefined;

async function idsOf({ db, owner }: OwnedList, searches: readonly Search[]): Promise<readonly number[]> {
  const results = await Promise.all(
    searches.map(async (search) => {
      const ids = await search.find(db, owner, maxFound + 1).catch((error: unknown) => {
        throw error instanceof TooManyArchived ? tooMany([search], maxPassedOver, "archived records") : error;
      });
      if (ids.length > maxFound) throw tooMany([search], maxFound, "records");
      return new Set(ids);
    }),
  );
  const [first = new Set<number>(), ...others] = results;
  return [...first].filter((id) => others.every((ids) => ids.has(id)));
}

async function filterFound(
  owned: OwnedList,
  ids: readonly number[],
  request: PageRequest,
  searches: readonly Search[],
): Promise<readonly number[]> {
  if (ids.length > maxFiltered)
    throw tooMany(searches, maxFiltered, "records", " to be filtered any further");
  const located = await locate(owned, ids);
  const listed = ids
    .toSorted((left, right) => left - right)
    .flatMap((id) => located.get(recordKey(owned.list, id).sk) ?? [])
    .filter(isListed(request));
  return (await createdWithin(owned, listed, request)).map(({ sk }) => Number.parseInt(sk, 10));
}

/** The entries of found records, by sort key: from a block's index if it has many, or else by record. */
async function locate(
  { db, list }: OwnedList,
  ids: readonly number[],
): Promise<ReadonlyMap<string, ListEntry>> {
  const readsIndex = (some: readonly number[]): boolean => some.length > list.blockSize / entriesPerUnit;
  const byBlock = [...Map.groupBy(ids, (id) => blockOf(list, id))];
  const scattered = byBlock.flatMap(([, some]) => (readsIndex(some) ? [] : some));
  const lookups = scattered.map((id): Lookup => ({ table: list.table, key: recordKey(list, id) }));
  const [find, ...entries] = await Promise.all([
    getItems(db, lookups, [facetKeyAttribute, "day"]),
    ...byBlock.map(([block, some]) => (readsIndex(some) ? queryRange(db, indexEntriesOf(list, block)) : [])),
  ]);
  const items = [...entries.flat(), ...lookups.map(find).filter((item) => item !== undefined)];
  return new Map(items.map(toEntry).map((entry) => [entry.sk, entry]));
}

const tooMany = (searches: readonly Search[], most: number, what: string, purpose = ""): Problem =>
  invalidAt(
    searches.map(({ field: path, remedy }) => ({
      path,
      message: `matches more than ${most} ${what}, too many${purpose}; ${remedy}`,
    })),
  );
