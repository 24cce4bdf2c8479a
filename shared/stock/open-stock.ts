/** Opens stock of a product in a distribution center, which stocks it from then on. */

import * as z from "zod/mini";
import { dayOf } from "../common/times.ts";
import type { Database } from "../store/dynamodb/database.ts";
import type { RawItem } from "../store/dynamodb/reads.ts";
import { traceWrites, type Write } from "../store/dynamodb/writes.ts";
import { incomingChanged } from "./incoming-stock.ts";
import type { Cause } from "./movements/movement.ts";
import { insertMovement, movementCounted } from "./movements/movement-repository.ts";
import { type StockKey, type StockLevel, stockLevel } from "./stock.ts";
import { changeStock, readStockRecords, stockRecords } from "./stock-repository.ts";

/** Whether the center stocks the product already, in one round trip. */
export async function readStocked(
  db: Database,
  keys: readonly StockKey[],
): Promise<(key: StockKey) => boolean> {
  const itemAt = await readStockRecords(db, keys);
  return (key) => itemAt(key) !== undefined;
}

/** When stock was opened (ISO 8601). Stock of release 1.0 has only the day, as all records of lists do. */
const openedAt = "opened_at";

/** Whether stock was open at a moment (ISO 8601); undefined if only the day is known and it is that day. */
export function wasOpen({ day, [openedAt]: opened }: RawItem, at: string): boolean | undefined {
  if (typeof opened === "string") return opened <= at;
  return Number(day) === dayOf(at) ? undefined : Number(day) < dayOf(at);
}

/**
 * Opens stock of a product in a distribution center, with a movement for its first units, if any. Stale if
 * the stock has been opened since.
 */
export function openStock(level: StockLevel, at: string, cause?: Cause): readonly Write[] {
  const { product_id, distribution_center_id, on_hand, reserved } = level;
  const change = { product_id, distribution_center_id, on_hand, reserved };
  const more = {
    [openedAt]: at,
    ...(cause !== undefined && movementCounted(cause)),
    ...(level.incoming !== 0 && incomingChanged(at)),
  };
  const inserted = stockRecords.insert(z.parse(stockLevel, level), at, more);
  return [
    ...(level.incoming === 0 ? inserted : traceWrites(inserted)),
    ...(cause === undefined ? [] : [insertMovement(change, cause)]),
  ];
}

/**
 * Adds goods to a distribution center or removes them, with a movement. If the center does not stock
 * the product yet, its stock is opened; stale if that has happened since.
 */
export function moveStock(
  stock: Omit<StockLevel, "on_hand" | "reserved" | "incoming">,
  on_hand: number,
  cause: Cause,
  isStocked: boolean,
): readonly Write[] {
  if (on_hand === 0) return [];
  const { product_id, distribution_center_id } = stock;
  if (isStocked) return changeStock([{ product_id, distribution_center_id, on_hand, reserved: 0 }], cause);
  return openStock({ ...stock, on_hand, reserved: 0, incoming: 0 }, cause.at, cause);
}
