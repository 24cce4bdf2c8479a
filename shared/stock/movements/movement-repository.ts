/**
 * Movements: the records that explain a product's stock. A product's movements of one week share a partition.
 * The stock record counts them by week, in the update that changes its quantities, so movements need no
 * counters of their own. These counts determine the week in which a page begins (`read-movements.ts`).
 */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { dayOf, weekOf } from "../../common/times.ts";
import { joined } from "../../store/dynamodb/keys.ts";
import type { Insert } from "../../store/dynamodb/writes.ts";
import type { StockChange, StockEntry } from "../stock.ts";
import { type Cause, movement, storedReason } from "./movement.ts";

export const table = "inventory";
export const weekPrefix = "week:";

/** The beginning of all movements' partition keys. */
export const movementPrefix = joined("movement", "");

/** The partition of a product's movements of one week. */
export const movementPartition = (productId: number, week: number): string =>
  movementPrefix + joined(productId, week);

/** The week (UTC) of a time (ISO 8601). */
export const weekAt = (at: string): number => weekOf(dayOf(at));

/** The attribute of a stock record or shard that counts the movements of a week. */
export const weekCounter = (week: number): string => weekPrefix + week;

/** The counts that a movement adds to its stock record. */
export const movementCounted = ({ at }: Pick<Cause, "at">): Readonly<Record<string, number>> => ({
  [weekCounter(weekAt(at))]: 1,
});

/** A movement record: what changed, by how much, why, by whom and when (docs/decisions.md, Movements). */
export function insertMovement(change: StockChange, cause: Cause): Insert {
  return {
    kind: "insert",
    table,
    item: {
      pk: movementPartition(change.product_id, weekAt(cause.at)),
      sk: joined(cause.at, randomBytes(9).toString("base64url")),
      ...z.parse(movement, { ...change, ...cause }),
      ...storedReason(cause.reason),
    },
    neverFails: true,
    traced: true,
  };
}

/** What an entry adds to the counters of its stock record, including the counts of its movements. */
export function entryCounted({
  on_hand,
  reserved,
  held,
  moves,
}: StockEntry): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { reserved };
  if (on_hand !== 0) counts["on_hand"] = on_hand;
  if (held !== 0) counts["held"] = held;
  if (held < 0) counts["holds_ended"] = 1;
  for (const [name, one] of moves.flatMap(({ cause }) => Object.entries(movementCounted(cause))))
    counts[name] = (counts[name] ?? 0) + one;
  return counts;
}

export const entryMovements = ({ moves }: StockEntry): readonly Insert[] =>
  moves.map(({ change, cause }) => insertMovement(change, cause));
