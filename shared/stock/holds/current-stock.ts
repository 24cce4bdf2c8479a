/** Stock as it is at this second: the units of holds that have ended are not reserved any more. */
import type { Database } from "../../store/dynamodb/database.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { stale } from "../../store/dynamodb/writes.ts";
import { type StockLevel, type StockPlace, stockPlaceKey } from "../stock.ts";
import { readLevels, readRecords } from "../stock-repository.ts";
import { unitsByPlace, withoutHeld } from "./hold.ts";
import { endedHoldsOf } from "./hold-repository.ts";

/**
 * The levels that `read` reads, without the holds that have ended. If some of the stock is held, it takes two
 * more round trips: one for these holds, and one to see that none was released since the stock was read. If
 * one was, everything is read again.
 */
export const currentStock = (
  db: Database,
  read: () => Promise<readonly StockLevel[]>,
): Promise<readonly StockLevel[]> =>
  untilFresh(async () => {
    const levels = await read();
    const holding = levels.filter(({ held = 0 }) => held !== 0);
    if (holding.length === 0) return levels;
    const units = unitsByPlace(await endedHoldsOf(db, holding));
    const recordAt = await readRecords(db, holding);
    for (const level of holding)
      if ((recordAt(level)?.["holds_ended"] ?? 0) !== (level.holds_ended ?? 0)) throw stale();
    return levels.map((level) => withoutHeld(level, units.get(stockPlaceKey(level))));
  });

/** The stock at these places, in their order. */
export const currentStockAt = (db: Database, places: readonly StockPlace[]): Promise<readonly StockLevel[]> =>
  currentStock(db, async () => {
    const levelAt = await readLevels(db, places);
    return places.map(levelAt).filter((level) => level !== undefined);
  });
