import type { Database } from "../dynamodb/database.ts";
import { isSearched, readFound, type Search } from "./found.ts";
import type { PageRequest } from "./page-request.ts";
import { mapPage, type Page, readPage } from "./pages.ts";
import type { Owner, Records } from "./records.ts";

/** Which page is wanted, and of which records; the newest come first unless it says otherwise. */
export type ListRequest = Omit<PageRequest, "direction"> & Partial<Pick<PageRequest, "direction">>;

/**
 * The owner's records of one page, and how many match: of those that all searches find which are asked for.
 * @throws as `readFound`; a list that keeps several records an id has no searches
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
