import { defineSchedule, scheduleLambda } from "../../shared/jobs/schedule.ts";
import { logger } from "../../shared/lambda/log.ts";
import { abandonedSagas, postponeSaga, resumeSaga } from "../../shared/store/sagas/saga.ts";

/** Most records that a run finishes: a large one takes about a second. The next run takes the rest. */
const maxPerRun = 25;

/** What must remain of a run's time for another record, in milliseconds. */
const minRemainingMs = 15_000;

/** Finishes large records whose call died between the steps that store them. A run that can't finish one fails, and so alarms. */
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
        // Records that can't be finished must not keep the others waiting, neither in this run nor in the next.
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
