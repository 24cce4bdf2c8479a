/**
 * Movements: the records that explain a product's stock. A product's movements of one week share a partition. The stock
 * record counts them week by week, in the update that changes its quantities, so a movement needs no tally of its own.
 * A page finds its week by these counts, as a page of a block list finds its block by the tallies.
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { dayOf, daysOf, weekOf } from "../domain/days.ts";
import { type Cause, type Movement, movement, type StockChange } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import { joined } from "../store/keys.ts";
import { unfiltered } from "../store/lists/facets.ts";
import { type Page, type PageRequest, pageOf } from "../store/lists/pages.ts";
import type { Tally } from "../store/lists/tallies.ts";
import type { RawItem } from "../store/reads.ts";
import { stale, type Write } from "../store/writes.ts";

const table = "inventory";
const counterPrefix = "week:";

const partitionName = (productId: number): string => joined("movement", productId);

/** What a movement adds to the counts of its stock record. */
export const movementCounted = ({ at }: Cause): Readonly<Record<string, number>> => ({
  [counterPrefix + weekOf(dayOf(at))]: 1,
});

/** A movement record: what changed, by how much, why, by whom and when (docs/decisions.md, Movements). */
export function insertMovement(change: StockChange, cause: Cause): Write {
  const day = dayOf(cause.at);
  return {
    kind: "insert",
    table,
    item: {
      pk: joined(partitionName(change.product_id), weekOf(day)),
      sk: joined(cause.at, randomBytes(9).toString("base64url")),
      cell: unfiltered,
      day,
      ...z.parse(movement, { ...change, ...cause }),
    },
    own: true,
    refusal: stale,
  };
}

/** A page of a product's movements, of all its distribution centers, and how many there are. */
export async function readMovements(
  db: Database,
  productId: number,
  stockItems: readonly RawItem[],
  request: PageRequest,
): Promise<Page<Movement>> {
  const list = { table, name: partitionName(productId) } as const;
  const { records, total } = await pageOf(db, list, talliesOf(stockItems), request);
  return { records: records.map((item) => z.parse(movement, item)), total };
}

function talliesOf(stockItems: readonly RawItem[]): readonly Tally[] {
  const weeks = new Map<number, number>();
  for (const [name, count] of stockItems.flatMap((item) => Object.entries(item))) {
    if (!name.startsWith(counterPrefix) || typeof count !== "number") continue;
    const week = Number(name.slice(counterPrefix.length));
    weeks.set(week, (weeks.get(week) ?? 0) + count);
  }
  return [...weeks]
    .sort(([left], [right]) => left - right)
    .map(([week, count]) => {
      const [firstDay, lastDay] = daysOf(week);
      return { block: week, cells: new Map([[unfiltered, count]]), firstDay, lastDay };
    });
}
