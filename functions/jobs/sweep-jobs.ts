import { logger } from "../../shared/handler.ts";
import { defineSchedule, scheduleLambda } from "../../shared/jobs/schedule.ts";
import { sendJobs } from "../../shared/jobs/send.ts";
import type { Database } from "../../shared/store/database.ts";
import {
  finishJob,
  type Job,
  JobFinished,
  mostResent,
  noteResent,
  overdueJobs,
  parseQueued,
} from "../../shared/store/jobs.ts";
import { transact } from "../../shared/store/transact.ts";

/** Most jobs of one shard that a run takes: they fit well into the time of a run. The next run takes the rest. */
const mostPerShard = 250;

/** Sends jobs again that were lost on the way to their worker. A job that was sent in vain for days ends as failed. */
export const schedule = defineSchedule(
  { everyMinutes: 5, access: { jobs: "write" }, sends: "every" },
  async ({ db, now }) => {
    let [resent, givenUp, skipped] = [0, 0, 0];
    for (const found of await overdueJobs(db, now, mostPerShard)) {
      try {
        const job = parseQueued(found);
        if (job === undefined) continue;
        if (job.resent >= mostResent) givenUp += await giveUp(db, job, now);
        else resent += await resend(db, job, now);
      } catch (error) {
        // A job that can't be looked after must not keep the others waiting.
        logger.error("job not looked after", { error });
        skipped += 1;
      }
    }
    return { resent, given_up: givenUp, skipped };
  },
);

/**
 * Sends a job again, and answers 1; answers 0 where the job is not queued any more. The time of the next look is noted
 * before sending, so a job whose run dies is sent later rather than never.
 */
async function resend(db: Database, job: Job, now: string): Promise<number> {
  const noted = await unlessFinished(transact(db, [noteResent(job, now)]));
  if (noted === 1) await sendJobs(job.kind, [job]);
  return noted;
}

function giveUp(db: Database, job: Job, now: string): Promise<number> {
  const ending = {
    status: "failed",
    reason: `not applied though it was sent ${mostResent + 1} times`,
  } as const;
  const write = finishJob(job.kind, job.job_id, ending, { at: now, attempts: job.attempts });
  return unlessFinished(transact(db, [write]));
}

async function unlessFinished(write: Promise<void>): Promise<number> {
  try {
    await write;
    return 1;
  } catch (error) {
    if (error instanceof JobFinished) return 0;
    throw error;
  }
}

export const handler = scheduleLambda(schedule);
