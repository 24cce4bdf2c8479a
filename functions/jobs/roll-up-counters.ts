import { clock } from "../../shared/common/clock.ts";
import { forEachConcurrently } from "../../shared/common/concurrency.ts";
import { logger } from "../../shared/runtime/log.ts";
import { defineSchedule } from "../../shared/runtime/schedule.ts";
import { type PendingOwner, pendingOwners } from "../../shared/store/lists/counters/pending-roll-ups.ts";
import { rollUpOwner } from "../../shared/store/lists/counters/roll-up.ts";

/** Owners that are rolled up concurrently. */
const maxConcurrent = 4;

/** Milliseconds in which roll-ups start. The next run continues. */
const maxRunMs = 20_000;

/** The same for one owner, so that a few busy owners do not delay the others. */
const maxOwnerMs = 5_000;

/**
 * Rolls up the counters of lists, so that reading a page costs the same however many records its list has.
 */
export const { schedule, handler } = defineSchedule(
  {
    everyMinutes: 1,
    access: { tallies: "write", "tallies/unfolded": "read" },
    sends: [],
  },
  async ({ db, now }) => {
    const until = clock() + maxRunMs;
    const figures = { owners: 0, shards: 0, nodes: 0, skipped: 0 };
    const rollUp = async ({ list, owner }: PendingOwner): Promise<void> => {
      try {
        const last = Math.min(until, clock() + maxOwnerMs);
        const { shards, nodes } = await rollUpOwner({ db, list, owner }, last);
        figures.owners += 1;
        figures.shards += shards;
        figures.nodes += nodes;
      } catch (error) {
        // One failing owner must not delay the others.
        logger.error("counters not rolled up", { list: list.name, error });
        figures.skipped += 1;
      }
    };
    const owners = pendingOwners(db, Math.floor(Date.parse(now) / 60_000));
    await forEachConcurrently(before(until, owners), rollUp, maxConcurrent);
    return figures;
  },
);

/** The owners until `until` (by `clock`). */
async function* before(
  until: number,
  owners: AsyncGenerator<PendingOwner, void>,
): AsyncGenerator<PendingOwner, void> {
  for await (const owner of owners) {
    if (clock() > until) return;
    yield owner;
  }
}
