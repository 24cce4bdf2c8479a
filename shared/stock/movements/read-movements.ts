import * as z from "zod/mini";
import type { Database } from "../../store/dynamodb/database.ts";
import type { Key } from "../../store/dynamodb/keys.ts";
import { queryRange, type RawItem } from "../../store/dynamodb/reads.ts";
import { stale } from "../../store/dynamodb/writes.ts";
import { type PageRequest, spansOf } from "../../store/lists/page-request.ts";
import type { Page } from "../../store/lists/pages.ts";
import { type Movement, storedMovement } from "./movement.ts";
import { movementPartition, table, weekAt, weekPrefix } from "./movement-repository.ts";

/**
 * A page of a product's movements in all distribution centers, and their total number. A week is read from
 * its nearer end to the page's last record.
 * @throws Stale if movements were dropped meanwhile (`infra/operator/history/drop-movements.ts`)
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
    records: parts.flat().map((item) => z.parse(storedMovement, item)),
    total: weeks.reduce((sum, [, count]) => sum + count, 0),
  };
}

/**
 * A product's movements from a time (ISO 8601) to the end of a week, or to a time in it (`upTo`), each with
 * its key. Used by operators.
 */
export async function movementsSince(
  db: Database,
  productId: number,
  since: string,
  lastWeek: number,
  upTo = "",
): Promise<readonly (Movement & Key)[]> {
  const found: (Movement & Key)[] = [];
  for (let week = weekAt(since); week <= lastWeek; week += 1) {
    const range = { table, pk: movementPartition(productId, week), between: [since, `${upTo}~`] } as const;
    for (const item of await queryRange(db, range))
      found.push({ ...z.parse(storedMovement, item), pk: range.pk, sk: String(item["sk"]) });
  }
  return found;
}

/** A week and its number of movements. */
type Week = readonly [week: number, count: number];

/** The weeks with movements according to these stock records and shards, oldest first. */
export function weeksOf(stockItems: readonly RawItem[]): readonly Week[] {
  const weeks = new Map<number, number>();
  for (const [name, count] of stockItems.flatMap((item) => Object.entries(item))) {
    if (!name.startsWith(weekPrefix) || typeof count !== "number") continue;
    const week = Number(name.slice(weekPrefix.length));
    weeks.set(week, (weeks.get(week) ?? 0) + count);
  }
  return [...weeks].toSorted(([left], [right]) => left - right);
}
