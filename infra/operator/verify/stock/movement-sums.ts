/** Adds up the movements of a product. */
import * as z from "zod/mini";
import { movementPartition } from "../../../../shared/stock/movements/movement-repository.ts";
import { type Movement, storedMovement } from "../../../../shared/stock/stock.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { stockList } from "../../../../shared/store/lists/definitions.ts";

const { table } = stockList;

const pageSize = 500;

export interface MovementSum {
  on_hand: number;
  reserved: number;
  count: number;
}

/** By center and week. */
export type CenterSums = ReadonlyMap<number, ReadonlyMap<number, MovementSum>>;

export interface ProductMovements {
  readonly sums: CenterSums;
  /** By order, the units that are still reserved for it in any center. */
  readonly reserved: ReadonlyMap<number, number>;
  /** Unreadable movements, which are not part of the sums. */
  readonly unreadable: readonly Key[];
}

/**
 * The movement in an item, with its week. Undefined if it is unreadable, or belongs to another product than
 * its partition.
 */
export function movementIn(item: RawItem): (Movement & { readonly week: number }) | undefined {
  const [, product, week] = String(item["pk"]).split("#").map(Number);
  const { success, data } = z.safeParse(storedMovement, item);
  return success && week !== undefined && data.product_id === product ? { ...data, week } : undefined;
}

export async function movementSumsOf(
  db: Database,
  productId: number,
  weeks: Iterable<number>,
): Promise<ProductMovements> {
  const sums = new Map<number, Map<number, MovementSum>>();
  const reserved = new Map<number, number>();
  const unreadable: Key[] = [];
  for (const week of weeks)
    for await (const items of queryPages(db, { table, pk: movementPartition(productId, week) }, pageSize))
      for (const item of items) {
        const moved = movementIn(item);
        if (moved === undefined) unreadable.push({ pk: String(item["pk"]), sk: String(item["sk"]) });
        else {
          count(sums, moved, week);
          addReserved(reserved, moved);
        }
      }
  return { sums, reserved, unreadable };
}

/** Orders with no reserved units are left out, so the map holds little more than open orders. */
function addReserved(orders: Map<number, number>, { reference: { order_id }, reserved }: Movement): void {
  if (order_id === undefined) return;
  const units = (orders.get(order_id) ?? 0) + reserved;
  if (units === 0) orders.delete(order_id);
  else orders.set(order_id, units);
}

function count(
  centers: Map<number, Map<number, MovementSum>>,
  { distribution_center_id, on_hand, reserved }: Movement,
  week: number,
): void {
  const weeks = centers.get(distribution_center_id) ?? new Map<number, MovementSum>();
  centers.set(distribution_center_id, weeks);
  const sum = weeks.get(week) ?? { on_hand: 0, reserved: 0, count: 0 };
  weeks.set(week, sum);
  sum.on_hand += on_hand;
  sum.reserved += reserved;
  sum.count += 1;
}
