/** Gives back the units of holds that have ended, once. */
import { logger } from "../../lambda/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { transact, unlessStale } from "../../store/dynamodb/transact.ts";
import type { Hold } from "./hold.ts";
import { dueHolds, endHold } from "./hold-repository.ts";

/** Releases a hold that has ended. @returns whether this call released it */
export function releaseEnded(db: Database, held: Hold): Promise<boolean> {
  const why = { reason: "hold_expired", by: held.created_by, at: new Date().toISOString() } as const;
  return unlessStale(() => transact(db, endHold(held, why)));
}

/**
 * Releases the holds of all accounts that have ended by `now` (ISO 8601), while there is time. A hold that
 * can't be released does not keep the others.
 */
export async function releaseDueHolds(db: Database, now: string, hasTime: () => boolean) {
  const figures = { holds_released: 0, holds_skipped: 0 };
  for await (const holds of dueHolds(db, now)) {
    for (const held of holds) {
      try {
        if (await releaseEnded(db, held)) figures.holds_released += 1;
      } catch (error) {
        logger.error("hold not released", { error, hold_id: held.hold_id });
        figures.holds_skipped += 1;
      }
    }
    if (!hasTime()) break;
  }
  return figures;
}
