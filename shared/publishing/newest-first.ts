import type { Database } from "../store/dynamodb/database.ts";
import { padded } from "../store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../store/dynamodb/reads.ts";

/** Maximum items of a query. An entry takes at most 2 KB, so a query of entries is below DynamoDB's 1 MB. */
const maxPageSize = 256;

/** The items of a partition after one sequence and up to another, newest first, in pages that grow. */
export async function* newestFirst(
  db: Database,
  pk: string,
  { after, until, size }: { readonly after: number; readonly until: number; readonly size: number },
): AsyncGenerator<RawItem, void> {
  let last = until;
  for (let limit = size; last > after; limit = Math.min(4 * limit, maxPageSize)) {
    const between = [padded(after + 1), padded(last)] as const;
    const items = await queryRange(db, { table: "events", pk, between, direction: "desc", limit });
    yield* items;
    const end = items.at(-1);
    if (end === undefined || items.length < limit) return;
    last = Number(end["sk"]) - 1;
  }
}
