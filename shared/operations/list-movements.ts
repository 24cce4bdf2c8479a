import { readMovements } from "../data/movements.ts";
import { parseStock, stockItemsOf } from "../data/stock.ts";
import type { Movement } from "../domain/stock/stock.ts";
import type { Database } from "../store/database.ts";
import type { Page, PageRequest } from "../store/lists/pages.ts";
import { untilFresh } from "../store/transact.ts";
import { stale } from "../store/writes.ts";

/** A movement with the code of the distribution center whose stock it changed. */
export type PlacedMovement = Movement & { readonly distribution_center: string };

/**
 * A page of a product's movements, of all its distribution centers, and how many there are. Three round trips; they
 * are made again where a center began to keep the product after its stock was read.
 */
export const listMovements = (
  db: Database,
  productId: number,
  request: PageRequest,
): Promise<Page<PlacedMovement>> =>
  untilFresh(async () => {
    const stock = await stockItemsOf(db, productId);
    const { records, total } = await readMovements(db, productId, stock, request);
    const codes = new Map(
      stock
        .map(parseStock)
        .map(({ distribution_center_id, distribution_center }) => [
          distribution_center_id,
          distribution_center,
        ]),
    );
    const placed = records.map((moved): PlacedMovement => {
      const distribution_center = codes.get(moved.distribution_center_id);
      if (distribution_center === undefined) throw stale();
      return { ...moved, distribution_center };
    });
    return { records: placed, total };
  });
