/** What movements come to, product by product: for the checks of an operator. */
import * as z from "zod/mini";
import { type Movement, movement } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import type { Key } from "../store/keys.ts";
import { stockList } from "../store/lists/definitions.ts";
import { queryPages, type RawItem } from "../store/reads.ts";
import { movementPartition } from "./movements.ts";

const { table } = stockList;

/** Movements read at a time. */
const pageSize = 500;

/** A sum of movements, and how many they are. */
export interface MovementSum {
  on_hand: number;
  reserved: number;
  count: number;
}

/** Sums of a product's movements in one center, by week. */
export type WeekSums = ReadonlyMap<number, MovementSum>;

/** Sums of a product's movements, by center. */
export type CenterSums = ReadonlyMap<number, WeekSums>;

const nothing: CenterSums = new Map();

/** A product's movements. */
export interface ProductMovements {
  readonly sums: CenterSums;
  /** Those that can't be read, and are not among the sums. */
  readonly unreadable: readonly Key[];
}

/** Sums of movements, by product. */
export class MovementSums {
  readonly #products = new Map<number, Map<number, Map<number, MovementSum>>>();
  readonly #unreadable = new Map<number, Key[]>();

  of(productId: number): ProductMovements {
    return {
      sums: this.#products.get(productId) ?? nothing,
      unreadable: this.#unreadable.get(productId) ?? [],
    };
  }

  /** Adds the movement that an item is. Its partition names the product and the week. */
  add(item: RawItem): void {
    const { pk, sk } = item;
    const [, product, week] = String(pk).split("#").map(Number);
    const { success, data } = z.safeParse(movement, item);
    if (success && week !== undefined) this.#count(data, week);
    else if (product !== undefined) {
      const key = { pk: String(pk), sk: String(sk) };
      this.#unreadable.set(product, [...(this.#unreadable.get(product) ?? []), key]);
    }
  }

  #count({ product_id, distribution_center_id, on_hand, reserved }: Movement, week: number): void {
    const centers = this.#products.get(product_id) ?? new Map<number, Map<number, MovementSum>>();
    this.#products.set(product_id, centers);
    const weeks = centers.get(distribution_center_id) ?? new Map<number, MovementSum>();
    centers.set(distribution_center_id, weeks);
    const sum = weeks.get(week) ?? { on_hand: 0, reserved: 0, count: 0 };
    weeks.set(week, sum);
    sum.on_hand += on_hand;
    sum.reserved += reserved;
    sum.count += 1;
  }
}

/** Adds up a product's movements of these weeks. */
export async function movementSumsOf(
  db: Database,
  productId: number,
  weeks: Iterable<number>,
): Promise<ProductMovements> {
  const sums = new MovementSums();
  for (const week of weeks)
    for await (const items of queryPages(db, { table, pk: movementPartition(productId, week) }, pageSize))
      for (const item of items) sums.add(item);
  return sums.of(productId);
}
