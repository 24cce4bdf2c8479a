import { QueryCommand, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import { allCurrent } from "../layouts/layouts.ts";
import type { Database } from "./database.ts";
import { type Range, type RawItem, rangeInput } from "./reads.ts";

/** The largest `Limit` that DynamoDB accepts. Clients may ask for pages beyond it. */
const maxLimit = 2 ** 31 - 1;

/**
 * Returns the items at the positions `from` up to but not including `to`, and the number of items in the
 * range. The whole range is read once, which determines the cost.
 */
export async function sliceOfRange(
  db: Database,
  range: Omit<Range, "limit">,
  from: number,
  to: number,
): Promise<{ readonly items: readonly RawItem[]; readonly count: number }> {
  const items: RawItem[] = [];
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const isWanted = from <= count && count < to;
    const remaining = count < from ? from - count : isWanted ? to - count : undefined;
    const Limit = remaining === undefined ? undefined : Math.min(remaining, maxLimit);
    const Select = isWanted ? undefined : "COUNT";
    const answer: QueryCommandOutput = await db.client.send(
      new QueryCommand({ ...rangeInput(db, range), Select, Limit, ExclusiveStartKey: start }),
    );
    items.push(...allCurrent(db, range, answer.Items ?? []));
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return { items, count };
}
