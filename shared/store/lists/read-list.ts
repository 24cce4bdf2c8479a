import type { Access, RecordTable } from "../access.ts";
import type { Database } from "../dynamodb/database.ts";
import type { RawItem } from "../dynamodb/reads.ts";
import { naming } from "../layouts/unreadable.ts";
import { readFound, type Search } from "./found.ts";
import type { PageRequest } from "./page-request.ts";
import { mapPage, type Page, readPage } from "./pages.ts";
import type { Owner, Records } from "./repository.ts";

/** The access that reading pages of lists needs: their records, the index of facet keys, and the counters. */
export const listAccess = (table: RecordTable): Access =>
  ({ [table]: "read", [`${table}/cells`]: "read", tallies: "read" }) as const;

/** A page request that lists the newest records first by default. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/**
 * A search that is not requested is undefined. A list with several records per id has none.
 * @throws Unreadable, which names the record
 */
export async function readList<T>(
  { list, parse }: Pick<Records<T>, "list" | "parse">,
  db: Database,
  owner: Owner,
  request: ListRequest,
  searches: readonly (Search | undefined)[] = [],
): Promise<Page<T>> {
  const owned = { db, list, owner: String(owner) };
  const asked = { direction: "desc" as const, ...request };
  const requested = searches.filter((search) => search !== undefined);
  const page = requested.length > 0 ? readFound(owned, requested, asked) : readPage(owned, asked);
  const nameOf = ({ sk }: RawItem) => `${list.name} ${Number.parseInt(String(sk), 10)}`;
  return mapPage(await page, (item) => naming(nameOf(item), () => parse(item)));
}
