/** What a product's movements come to: for the checks of an operator. */
import * as z from "zod/mini";
import { movementPartition } from "../../../../shared/stock/movements/movement-repository.ts";
import { type Movement, movement } from "../../../../shared/stock/stock.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import type { Key } from "../../../../shared/store/dynamodb/keys.ts";
import { queryPages, type RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { stockList } from "../../../../shared/store/lists/definitions.ts";

const { table } = stockList;

/** Movements read at a time. */
const pageSize = 500;

/** A sum of movements, and how many they are. */
export interface MovementSum {
  on_hand: number;
  reserved: number;
  count: number;
}

/** Sums of a product's movements, by center and week. */
export type CenterSums = ReadonlyMap<number, ReadonlyMap<number, MovementSum>>;

/** A product's movements. */
export interface ProductMovements {
  readonly sums: CenterSums;
  /** Those that can't be read, and are not among the sums. */
  readonly unreadable: readonly Key[];
}

/** The movement that an item is, with its week. Undefined where it can't be read, or is not of its partition's product. */
export function movementIn(item: RawItem): (Movement & { readonly week: number }) | undefined {
  const [, product, week] = String(item["pk"]).split("#").map(Number);
  const { success, data } = z.safeParse(movement, item);
  return success && week !== undefined && data.product_id === product ? { ...data, week } : undefined;
}

/** Adds up a product's movements of these weeks. */
export async function movementSumsOf(
  db: Database,
  productId: number,
  weeks: Iterable<number>,
): Promise<ProductMovements> {
  const sums = new Map<number, Map<number, MovementSum>>();
  const unreadable: Key[] = [];
  for (const week of weeks)
    for await (const items of queryPages(db, { table, pk: movementPartition(productId, week) }, pageSize))
      for (const item of items) {
        const moved = movementIn(item);
        if (moved === undefined) unreadable.push({ pk: String(item["pk"]), sk: String(item["sk"]) });
        else count(sums, moved, week);
      }
  return { sums, unreadable };
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
