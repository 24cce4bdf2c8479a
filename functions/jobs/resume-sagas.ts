import { defineSchedule, scheduleLambda } from "../../shared/jobs/schedule.ts";
import { logger } from "../../shared/lambda/log.ts";
import { abandonedSagas, postponeSaga, resumeSaga } from "../../shared/store/sagas/saga.ts";

/** A large saga takes about a second. The next run takes the rest. */
const maxPerRun = 25;

/** What must remain of a run's time to begin another saga. */
const minRemainingMs = 15_000;

/** Finishes the sagas whose call died. The run fails, and so raises an alarm, if it can't finish one. */
export const schedule = defineSchedule(
  {
    everyMinutes: 1,
    access: { orders: "write", inventory: "write", "jobs/queued": "read" },
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
        // A saga that can't be finished must not keep the others waiting, neither in this run nor in the next.
        logger.error("steps not finished", { error, steps: name });
        skipped += 1;
        await postponeSaga(db, name);
      }
    }
    if (skipped > 0) throw new Error(`${skipped} records in steps could not be finished`);
    return { finished };
  },
);

export const handler = scheduleLambda(schedule);
