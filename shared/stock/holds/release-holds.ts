/** Gives back the units of all accounts' holds that have ended. */
import { logger } from "../../runtime/log.ts";
import type { Database } from "../../store/dynamodb/database.ts";
import { findPages } from "../../store/dynamodb/reads.ts";
import { withBudget } from "../../store/dynamodb/retry.ts";
import type { Hold } from "./hold.ts";
import { holdPartitions, readableHolds, releaseEnded } from "./hold-repository.ts";

/**
 * Releases the holds of all accounts that have ended by `now` (ISO 8601), while there is time. A hold that
 * can't be read or released does not delay the others.
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

/**
 * The holds of all accounts that have ended by `now` (ISO 8601), in pages, and how many can't be read. Some
 * may be released already. It begins with a random partition, so that no partition always comes last when
 * there are too many holds.
 */
async function* dueHolds(db: Database, now: string) {
  const first = Math.floor(Math.random() * holdPartitions.all().length);
  for (const pk of holdPartitions.all(first)) {
    const due = { table: "jobs", pk, index: "queued", between: ["0", now] } as const;
    for await (const page of findPages(db, due, 100)) {
      const items = page.map(({ read }) => read()).filter((item) => item !== undefined);
      const holds = readableHolds(items);
      yield { holds, unreadable: items.length - holds.length };
    }
  }
}
