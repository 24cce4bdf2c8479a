import type { Database } from "../dynamodb/database.ts";
import { readFound, type Search } from "./found.ts";
import type { PageRequest } from "./page-request.ts";
import { mapPage, type Page, readPage } from "./pages.ts";
import type { Owner, Records } from "./records.ts";

/** A page request that lists the newest records first by default. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/**
 * One page of the owner's records that every search finds, and the total. A search that the query does not
 * request is undefined.
 * @throws as `readFound`; a list with several records per id has no searches
 */
export async function readList<T>(
  { list, parse }: Pick<Records<T>, "list" | "parse">,
  db: Database,
  owner: Owner,
  request: ListRequest,
  searches: readonly (Search | undefined)[] = [],
): Promise<Page<T>> {
  const [whose, asked] = [String(owner), { direction: "desc" as const, ...request }];
  const requested = searches.filter((search) => search !== undefined);
  const page =
    requested.length > 0
      ? await readFound(db, list, whose, requested, asked)
      : await readPage(db, list, whose, asked);
  return mapPage(page, parse);
}
