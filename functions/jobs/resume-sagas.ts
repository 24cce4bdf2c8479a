import { logger } from "../../shared/runtime/log.ts";
import { defineSchedule } from "../../shared/runtime/schedule.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { abandonedSagas, postponeSaga } from "../../shared/store/sagas/open-sagas.ts";
import { resumeSaga } from "../../shared/store/sagas/saga.ts";

/** A large saga takes about a second. The next run resumes the rest. */
const maxPerRun = 25;

/** Time left of a run below which no saga begins. */
const minRemainingMs = 15_000;

/**
 * Finishes sagas whose call was interrupted. If it can't finish one, the run fails, which raises an alarm.
 */
export const { schedule, handler } = defineSchedule(
  {
    everyMinutes: 1,
    access: { orders: "write-records", inventory: "write-records", "jobs/queued": "read" },
    sends: [],
  },
  async ({ db, now, remaining }) => {
    let [finished, skipped] = [0, 0];
    for (const name of await abandonedSagas(db, now, maxPerRun)) {
      if (remaining() < minRemainingMs) break;
      try {
        await resumeSaga(db, name);
        finished += 1;
      } catch (error) {
        // A saga that can't be finished must not delay the others, in this run or the next.
        logger.error("saga not finished", { error, saga: name });
        skipped += 1;
        await postpone(db, name);
      }
    }
    if (skipped > 0) throw new Error(`${skipped} sagas could not be resumed`);
    return { finished };
  },
);

async function postpone(db: Database, name: string): Promise<void> {
  try {
    await postponeSaga(db, name);
  } catch (error) {
    logger.error("saga not postponed", { error, saga: name });
  }
}
