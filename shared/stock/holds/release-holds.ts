/** Gives back the units of holds that have ended, once. */
import { logger } from "../../runtime/log.ts";
import { commitEach } from "../../store/bulk/bulk.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { withBudget } from "../../store/dynamodb/retry.ts";
import type { Hold } from "./hold.ts";
import { dueHolds, endHold } from "./hold-repository.ts";

/**
 * Releases holds that have ended, as many in a transaction as it has room for. Their movements are dated by
 * the times at which they ended, so that movements add up to the stock of any moment.
 * @returns how many this call released, without those that others are ending, and the error after which it
 * released no more. A saga that others began is left to the functions that resume it
 */
export async function releaseEnded(db: Database, holds: readonly Hold[]) {
  const { outcomes, stopped } = await commitEach(
    db,
    holds.map((held) => endHold(held, { reason: "hold_expired", by: held.created_by, at: held.check_at })),
    async () => undefined,
  );
  return { released: outcomes.filter(({ kind }) => kind === "stored").length, stopped };
}

/**
 * Releases the holds of all accounts that have ended by `now` (ISO 8601), while there is time. A hold that
 * can't be read or released does not keep the others.
 */
export async function releaseDueHolds(db: Database, now: string, hasTime: () => boolean) {
  const figures = { holds_released: 0, holds_skipped: 0 };
  /** Releases holds together or, if that fails, one by one. */
  const release = async (holds: readonly Hold[]): Promise<void> => {
    const { released, stopped } = await withBudget(() => releaseEnded(db, holds));
    figures.holds_released += released;
    if (stopped === undefined) return;
    if (holds.length === 1) {
      logger.error("hold not released", { error: stopped.error, hold_id: holds[0]?.hold_id });
      figures.holds_skipped += 1;
    } else for (const held of holds) if (hasTime()) await release([held]);
  };
  for await (const { holds, unreadable } of dueHolds(db, now)) {
    figures.holds_skipped += unreadable;
    if (unreadable > 0) logger.error("holds not released", { unreadable });
    await release(holds);
    if (!hasTime()) break;
  }
  return figures;
}
