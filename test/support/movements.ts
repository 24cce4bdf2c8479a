import type { Database } from "../../shared/data/database.ts";
import { readMovements } from "../../shared/data/movements.ts";
import { stockItemsOf } from "../../shared/data/stock.ts";
import type { Movement } from "../../shared/domain/stock.ts";

/** A product's movements, all of them, oldest first. */
export async function allMovements(db: Database, productId: number): Promise<readonly Movement[]> {
  const items = await stockItemsOf(db, productId);
  const all: Movement[] = [];
  for (let page = 1; ; page += 1) {
    const { movements, total } = await readMovements(db, productId, items, {
      page,
      perPage: 100,
      direction: "asc",
    });
    all.push(...movements);
    if (all.length >= total || movements.length === 0) return all;
  }
}
