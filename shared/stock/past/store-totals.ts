/** Stores and removes the running totals of a week; see `running-totals.ts`. */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { changeOne } from "../../store/dynamodb/change-one.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { keyIn } from "../../store/dynamodb/keys.ts";
import type { RawItem } from "../../store/dynamodb/reads.ts";
import { untilFresh } from "../../store/dynamodb/transact.ts";
import { exists, still } from "../../store/dynamodb/writes.ts";
import { table } from "../movements/movement-repository.ts";
import {
  beforeWeek,
  type CenterTotals,
  movementPages,
  movementWithTotals,
  type ProductWeek,
  type RunningTotals,
  readRange,
  type TotalledRange,
  totalsAttribute,
  totalsToCarry,
} from "./running-totals.ts";

/**
 * Adds totals to the movements of a week, and corrects wrong ones. Returns the number of changed movements.
 * It may run again, or twice concurrently.
 * @throws Stale if another run has changed totals meanwhile, or a movement was dropped
 */
export async function storeTotals(
  db: Database,
  of: ProductWeek,
  range: TotalledRange,
  earlierOf: () => Promise<CenterTotals>,
): Promise<number> {
  const { base, pages } = await readRange(db, of, range);
  let earlier = base.last === undefined ? await earlierOf() : base.earlier;
  const weekFor = totalsToCarry(base.last === undefined ? beforeWeek(earlier ?? {}) : base);
  let changed = 0;
  for await (const items of pages) {
    for (const item of items) {
      const found = z.parse(movementWithTotals, item);
      const week = weekFor(found, found.totals !== undefined);
      if (week === undefined) continue;
      earlier ??= await earlierOf();
      const expected = { week, earlier };
      if (isDeepStrictEqual(found.totals, expected)) {
        if (String(item["sk"]) > range.settledAfter) return changed;
        continue;
      }
      await storeOnMovement(db, item, expected);
      changed += 1;
    }
  }
  return changed;
}

/** Removes the totals of a week, so that readers add up its movements until it is totalled again. */
export const removeTotals = (db: Database, of: ProductWeek): Promise<void> =>
  untilFresh(db, async () => {
    for await (const items of movementPages(db, of))
      for (const item of items.filter((one) => totalsAttribute in one)) {
        const key = keyIn(item);
        await changeOne(db, { kind: "change", table, key, remove: [totalsAttribute], when: [exists] });
      }
  });

const storeOnMovement = (db: Database, item: RawItem, carried: RunningTotals): Promise<RawItem> =>
  changeOne(db, {
    kind: "change",
    table,
    key: keyIn(item),
    set: { [totalsAttribute]: carried },
    when: [exists, still(totalsAttribute, item[totalsAttribute])],
  });
