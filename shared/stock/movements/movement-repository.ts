/**
 * Movements: the records that explain a product's stock. A product's movements of one week share a partition.
 * The stock record counts them week by week, in the update that changes its quantities, so movements need no
 * counters of their own. These counts say which week a page begins in. That week is read from its nearer end
 * to the page's last record.
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { dayOf, weekOf } from "../../common/days.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { joined, type Key } from "../../store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import { stale, type Write } from "../../store/dynamodb/writes.ts";
import { type PageRequest, spansOf } from "../../store/lists/page-request.ts";
import type { Page } from "../../store/lists/pages.ts";
import { type Cause, type Movement, movement, type StockChange } from "../stock.ts";

const table = "inventory";
const counterPrefix = "week:";

/** The partition of a product's movements of one week. */
export const movementPartition = (productId: number, week: number): string =>
  joined("movement", productId, week);

/** The week (UTC) of a time (ISO 8601). */
export const weekAt = (at: string): number => weekOf(dayOf(at));

/** The attribute of a stock record or shard that counts the movements of a week. */
export const weekCounter = (week: number): string => counterPrefix + week;

/** The counts that a movement adds to its stock record. */
export const movementCounted = ({ at }: Pick<Cause, "at">): Readonly<Record<string, number>> => ({
  [weekCounter(weekAt(at))]: 1,
});

/** A movement record: what changed, by how much, why, by whom and when (docs/decisions.md, Movements). */
export function insertMovement(change: StockChange, cause: Cause): Write {
  return {
    kind: "insert",
    table,
    item: {
      pk: movementPartition(change.product_id, weekAt(cause.at)),
      sk: joined(cause.at, randomBytes(9).toString("base64url")),
      ...z.parse(movement, { ...change, ...cause }),
    },
    own: true,
    rejection: stale,
  };
}

/**
 * A page of a product's movements in all distribution centers, and their total number.
 * @throws Stale if movements were dropped after their counts were read; see `past-movements.ts`
 */
export async function readMovements(
  db: Database,
  productId: number,
  stockItems: readonly RawItem[],
  request: Pick<PageRequest, "page" | "per_page" | "direction">,
): Promise<Page<Movement>> {
  const { direction } = request;
  const weeks = weeksOf(stockItems);
  const ordered = direction === "asc" ? weeks : weeks.toReversed();
  const parts = await Promise.all(
    spansOf(ordered, ([, count]) => count, request).map(async ({ part: [week], from, to }) => {
      const range = { table, pk: movementPartition(productId, week), direction, limit: to } as const;
      const found = await queryRange(db, range);
      if (found.length < to) throw stale();
      return found.slice(from);
    }),
  );
  return {
    records: parts.flat().map((item) => z.parse(movement, item)),
    total: weeks.reduce((sum, [, count]) => sum + count, 0),
  };
}

/** A product's movements since a time (ISO 8601), each with its key. Used by the operator's checks. */
export async function movementsSince(
  db: Database,
  productId: number,
  since: string,
  now: string,
): Promise<readonly (Movement & Key)[]> {
  const found: (Movement & Key)[] = [];
  for (let week = weekAt(since); week <= weekAt(now); week += 1) {
    const range = { table, pk: movementPartition(productId, week), between: [since, "~"] } as const;
    for (const item of await queryRange(db, range))
      found.push({ ...z.parse(movement, item), pk: range.pk, sk: String(item["sk"]) });
  }
  return found;
}

/** A week and its number of movements. */
type Week = readonly [week: number, count: number];

/** The weeks with movements according to these stock records and shards, oldest first. */
export function weeksOf(stockItems: readonly RawItem[]): readonly Week[] {
  const weeks = new Map<number, number>();
  for (const [name, count] of stockItems.flatMap((item) => Object.entries(item))) {
    if (!name.startsWith(counterPrefix) || typeof count !== "number") continue;
    const week = Number(name.slice(counterPrefix.length));
    weeks.set(week, (weeks.get(week) ?? 0) + count);
  }
  return [...weeks].toSorted(([left], [right]) => left - right);
}
