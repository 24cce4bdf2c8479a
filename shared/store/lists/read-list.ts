import type { Database } from "../dynamodb/database.ts";
import { isSearched, readFound, type Search } from "./found.ts";
import type { PageRequest } from "./page-request.ts";
import { mapPage, type Page, readPage } from "./pages.ts";
import type { Owner, Records } from "./records.ts";

/** A page request that lists the newest records first by default. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/**
 * One page of the owner's records that every requested search finds, and the total.
 * @throws as `readFound`; a list with several records per id has no searches
 */
export async function readList<T>(
  { list, parse }: Pick<Records<T>, "list" | "parse">,
  db: Database,
  owner: Owner,
  request: ListRequest,
  searches: readonly Search[] = [],
): Promise<Page<T>> {
  const [whose, asked] = [String(owner), { direction: "desc" as const, ...request }];
  const page = isSearched(searches)
    ? await readFound(db, list, whose, searches, asked)
    : await readPage(db, list, whose, asked);
  return mapPage(page, parse);
}
