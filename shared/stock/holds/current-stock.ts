/** Stock without the units of holds that have ended, which are no longer reserved. */
import type { Database } from "../../store/dynamodb/database.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { stale } from "../../store/dynamodb/writes.ts";
import { type StockKey, type StockLevel, stockKeyText } from "../stock.ts";
import { readLevels } from "../stock-levels.ts";
import { unitsByStock, withoutHeld } from "./hold.ts";
import { areStillHeld, endedHoldsOf } from "./hold-repository.ts";

/**
 * Levels that have just been read, without the holds that have ended by a time (ISO 8601; the present by
 * default) but are not given back yet. If some of the stock is held, it takes two more round trips: one for
 * these holds, and one to check that none was given back since the stock was read.
 * @throws Stale if one was
 */
export async function withoutEnded(
  db: Database,
  levels: readonly StockLevel[],
  until?: string,
): Promise<readonly StockLevel[]> {
  const holding = levels.filter(({ held = 0 }) => held !== 0);
  if (holding.length === 0) return levels;
  const units = unitsByStock(await endedHoldsOf(db, holding, until));
  if (!(await areStillHeld(db, holding))) throw stale();
  return levels.map((level) => withoutHeld(level, units.get(stockKeyText(level))));
}

/** The levels that `read` reads, without ended holds. Reads again if one is given back meanwhile. */
export const currentStock = (
  db: Database,
  read: () => Promise<readonly StockLevel[]>,
): Promise<readonly StockLevel[]> => untilFresh(db, async () => withoutEnded(db, await read()));

/** The stock with these keys, in their order. */
export const currentStockAt = (db: Database, keys: readonly StockKey[]): Promise<readonly StockLevel[]> =>
  currentStock(db, async () => {
    const levelAt = await readLevels(db, keys);
    return keys.map(levelAt).filter((level) => level !== undefined);
  });
