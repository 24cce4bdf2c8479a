import {
  finishFailed,
  type Job,
  maxResent,
  noteResent,
  type Overdue,
  overdueJobs,
  parseOverdue,
} from "../../shared/jobs/job-repository.ts";
import { defineSchedule, scheduleLambda } from "../../shared/jobs/schedule.ts";
import { sendJobs } from "../../shared/jobs/send.ts";
import type { JobKind } from "../../shared/lambda/job-kinds.ts";
import { logger } from "../../shared/lambda/log.ts";
import { commitEach } from "../../shared/store/bulk/bulk-commit.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import { type Change, stale } from "../../shared/store/dynamodb/writes.ts";

/** Jobs that are looked after together: as many as one transaction notes. */
const pageSize = 100;

/** What must remain of a run's 50 s for another page, in milliseconds: its waiting for others, and hanging sends. */
const minRemainingMs = 15_000;

/** What accepting jobs changed, and giving them up undoes, lies in `inventory`: what bins will hold. */
const access = {
  jobs: { "job#": ["read", "change"] },
  "jobs/queued": "read",
  inventory: { "bin-content#": "change" },
} as const;

/** What a run did: jobs sent again, jobs ended as failed, and jobs that could not be looked after. */
interface Figures {
  readonly resent: number;
  readonly given_up: number;
  readonly skipped: number;
}

const total = (figures: readonly Figures[]): Figures => ({
  resent: figures.reduce((sum, { resent }) => sum + resent, 0),
  given_up: figures.reduce((sum, { given_up }) => sum + given_up, 0),
  skipped: figures.reduce((sum, { skipped }) => sum + skipped, 0),
});

/**
 * Sends jobs again that were lost on the way to their worker. A job that was sent in vain for days ends as failed. That it
 * runs each minute is a part of the two minutes within which a job is applied; see `shared/store/jobs.ts`.
 *
 * A run goes on while there is time, over all shards of the index side by side. A page of 100 jobs takes 13 calls: a
 * query, a read, a transaction, and ten sends at once. One after another these are four, of 20 to 100 ms each. So the
 * four shards send 1,000 jobs a second. Their pages take 17 ms of a processor each (measured), 60 ms of the third of
 * one that the function has, so it lets 1,700 pass. A run begins pages for 35 s, and so sends 35,000 jobs. Should
 * 200,000 be lost at once, six runs send them in 6 minutes; at half the speed, twelve runs in 12. A run that finds nothing
 * costs four queries, half a read unit each.
 */
export const schedule = defineSchedule(
  { everyMinutes: 1, access, sends: "every" },
  async ({ db, now, remaining }) => {
    const shards = overdueJobs(db, now, pageSize).map(async (pages) => {
      const figures: Figures[] = [];
      for await (const items of pages) {
        figures.push(await lookAfter(db, items, now));
        if (remaining() < minRemainingMs) break;
      }
      return total(figures);
    });
    return { ...total(await Promise.all(shards)) };
  },
);

/**
 * Sends the jobs of a page again, except those that are finished meanwhile. The time of the next look is noted before
 * sending, so jobs whose run dies are sent later rather than never.
 */
async function lookAfter(db: Database, items: readonly Overdue[], now: string): Promise<Figures> {
  const { jobs, unreadable } = read(items, now);
  const { outcomes, stopped } = await commitEach(
    db,
    jobs.map((job) => (isHopeless(job) ? giveUp(job, now) : [noteResent(job, now)])),
    leaveAlone,
  );
  if (stopped !== undefined) logger.error("jobs not looked after", { error: stopped.error });
  const noted = jobs.filter((_, position) => outcomes[position]?.kind === "stored");
  const lost = noted.filter((job) => !isHopeless(job));
  await Promise.all([...Map.groupBy(lost, ({ kind }) => kind)].map(([kind, some]) => send(kind, some)));
  return {
    resent: lost.length,
    given_up: noted.length - lost.length,
    skipped: unreadable + (stopped === undefined ? 0 : jobs.length - noted.length),
  };
}

/** A job that is being applied in steps is ended by them. This function may not touch what else they store. */
const leaveAlone = async (): Promise<void> => undefined;

/** The jobs of a page, and how many records are none. A record that can't be read must not keep the others waiting. */
function read(items: readonly Overdue[], now: string): { readonly jobs: readonly Job[]; unreadable: number } {
  const jobs: Job[] = [];
  let unreadable = 0;
  for (const item of items) {
    try {
      const job = parseOverdue(item, now);
      if (job !== undefined) jobs.push(job);
    } catch (error) {
      logger.error("job not looked after", { error });
      unreadable += 1;
    }
  }
  return { jobs, unreadable };
}

const isHopeless = ({ resent }: Job): boolean => resent >= maxResent;

function giveUp(job: Job, now: string): readonly Change[] {
  const reason = `not applied though it was sent ${maxResent + 1} times`;
  const ending = finishFailed(job, reason, { at: now, attempts: job.attempts });
  return ending.map((write) => ({ ...write, rejection: stale }));
}

/** Sends the messages of jobs. Should their kind have no queue any more, the others are not kept waiting. */
async function send(kind: JobKind, jobs: readonly Job[]): Promise<void> {
  try {
    await sendJobs(kind, jobs);
  } catch (error) {
    logger.error("jobs not sent", { error, job: kind });
  }
}

export const handler = scheduleLambda(schedule);
