/** Stock as it is at this second: the units of holds that have ended are not reserved any more. */
import type { Database } from "../../store/dynamodb/database.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { stale } from "../../store/dynamodb/writes.ts";
import { type StockLevel, stockPlaceKey } from "../stock.ts";
import { readRecords } from "../stock-repository.ts";
import { unitsByPlace, withoutHeld } from "./hold.ts";
import { endedHoldsOf } from "./hold-repository.ts";

/**
 * What `read` reads, without the holds that have ended. If some of the stock is held, it takes two more round
 * trips: one for these holds, and one to see that none was released since the stock was read. If one was,
 * everything is read again.
 */
export const currentStock = <T>(
  db: Database,
  read: () => Promise<T>,
  levelsIn: (found: T) => readonly StockLevel[],
): Promise<{ readonly found: T; readonly current: (level: StockLevel) => StockLevel }> =>
  untilFresh(async () => {
    const found = await read();
    const holding = levelsIn(found).filter(({ held = 0 }) => held !== 0);
    if (holding.length === 0) return { found, current: (level) => level };
    const units = unitsByPlace(await endedHoldsOf(db, holding));
    const recordAt = await readRecords(db, holding);
    for (const level of holding)
      if ((recordAt(level)?.["holds_ended"] ?? 0) !== (level.holds_ended ?? 0)) throw stale();
    return { found, current: (level) => withoutHeld(level, units.get(stockPlaceKey(level))) };
  });
