import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { allInLatestLayout } from "../layouts/layouts.ts";
import type { Database } from "./database.ts";
import { answersFrom, type Range, type RawItem, rangeInput } from "./reads.ts";

/** The largest `Limit` that DynamoDB accepts. Clients may ask for pages beyond it. */
const maxLimit = 2 ** 31 - 1;

/** Items from position `from` until `to`, and the count of the whole range, which is read once. */
export async function sliceOfRange(
  db: Database,
  range: Omit<Range, "limit">,
  from: number,
  to: number,
): Promise<{ readonly items: readonly RawItem[]; readonly count: number }> {
  const items: RawItem[] = [];
  let count = 0;
  const answers = answersFrom(undefined, (start) => {
    const isWanted = from <= count && count < to;
    const remaining = count < from ? from - count : isWanted ? to - count : undefined;
    const Limit = remaining === undefined ? undefined : Math.min(remaining, maxLimit);
    const Select = isWanted ? undefined : "COUNT";
    const input = { ...rangeInput(db, range), Select, Limit, ExclusiveStartKey: start } as const;
    return db.client.send(new QueryCommand(input));
  });
  for await (const { Items = [], Count = 0 } of answers) {
    items.push(...allInLatestLayout(db, range, Items));
    count += Count;
  }
  return { items, count };
}
