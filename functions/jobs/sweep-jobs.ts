import { allEnded, forEachConcurrently } from "../../shared/common/concurrency.ts";
import {
  finishFailed,
  type Job,
  maxResent,
  noteResent,
  overdueJobs,
  parseOverdue,
} from "../../shared/jobs/job-repository.ts";
import { sendJobs } from "../../shared/jobs/send.ts";
import { logger } from "../../shared/runtime/log.ts";
import type { QueueName } from "../../shared/runtime/queue-names.ts";
import { defineSchedule } from "../../shared/runtime/schedule.ts";
import { releaseDueHolds } from "../../shared/stock/holds/release-holds.ts";
import { commitEach } from "../../shared/store/bulk/bulk.ts";
import type { Database } from "../../shared/store/dynamodb/database.ts";
import type { FoundItem } from "../../shared/store/dynamodb/reads.ts";
import { isTemporary } from "../../shared/store/dynamodb/temporary.ts";
import type { RecordWrites } from "../../shared/store/dynamodb/writes.ts";

/** Jobs of a page: as many as one transaction changes. */
const pageSize = 100;

/**
 * Time left of a run's 50 s below which no page begins. It covers conflicts with other writers and hanging
 * sends.
 */
const minRemainingMs = 15_000;

/**
 * Failing a job undoes its acceptance in `inventory`: the expected quantity of a bin. Releasing a hold
 * changes stock.
 */
const access = {
  jobs: { "job#": ["read", "change"], "hold#": ["read", "remove"] },
  "jobs/queued": "read",
  inventory: { "bin-content#": "change", "stock#": "change", "movement#": "insert" },
} as const;

/** The outcome of a run: jobs sent again, jobs ended as failed, and jobs for which both failed. */
interface Figures {
  resent: number;
  given_up: number;
  skipped: number;
}

/**
 * Sweeps what is overdue: resends jobs that were lost on the way to their worker, and gives back the units of
 * holds that have ended. A job that was sent in vain for days ends as failed. Because the sweeper runs each
 * minute, a lost job is applied within two (`job-repository.ts`).
 *
 * A run begins pages of jobs for 35 s, over all partitions of the index concurrently: some 35,000 jobs
 * (docs/scaling.md). A run that finds nothing costs eight queries, half a read unit each.
 *
 * No reader counts the units of an ended hold any more, before they are given back (`current-stock.ts`). The
 * partitions and the holds are independent: if one can't be read, the run fails once the others are done.
 */
export const { schedule, handler } = defineSchedule(
  { everyMinutes: 1, access, sends: "every" },
  async ({ db, now, remaining }) => {
    const figures: Figures = { resent: 0, given_up: 0, skipped: 0 };
    const partitions = overdueJobs(db, now, pageSize).map(async (pages) => {
      for await (const items of pages) {
        await resend(db, items, now, figures);
        if (remaining() < minRemainingMs) break;
      }
    });
    const holds = releaseDueHolds(db, now, () => remaining() >= minRemainingMs);
    await allEnded([...partitions, holds]);
    return { ...figures, ...(await holds) };
  },
);

/**
 * Resends the jobs of a page, except those that have finished since. The next check is recorded before
 * sending, so jobs of an interrupted run are sent later.
 */
async function resend(
  db: Database,
  items: readonly FoundItem[],
  now: string,
  figures: Figures,
): Promise<void> {
  const due = items.flatMap((item) => parseDue(item, now, figures));
  const noted = await note(db, due, now);
  const lost = noted.filter((job) => !isHopeless(job));
  await Promise.all([...Map.groupBy(lost, ({ kind }) => kind)].map(([kind, some]) => send(db, kind, some)));
  figures.resent += lost.length;
  figures.given_up += noted.length - lost.length;
  figures.skipped += due.length - noted.length;
}

/**
 * Records that jobs are sent again or have failed: all together, or one by one if DynamoDB rejects a write of
 * one of them. A job that a saga is applying is ended by that saga.
 * @returns the recorded jobs that are still due
 */
async function note(db: Database, jobs: readonly Job[], now: string): Promise<readonly Job[]> {
  const { outcomes, stopped } = await commitEach(
    db,
    jobs.map((job) => (isHopeless(job) ? giveUp(job, now) : [noteResent(job, now)])),
  );
  const noted = jobs.filter((_, position) => outcomes[position]?.kind === "stored");
  if (stopped === undefined) return noted;
  if (jobs.length === 1 || isTemporary(stopped.error)) {
    logger.error("jobs not swept", { error: stopped.error, job_ids: jobs.map(({ job_id }) => job_id) });
    return noted;
  }
  const alone: Job[] = [];
  await forEachConcurrently(
    jobs.filter((job) => !noted.includes(job)),
    async (job) => void alone.push(...(await note(db, [job], now))),
  );
  return [...noted, ...alone];
}

/** The job of a record, if it is due. An unreadable record must not delay the others. */
function parseDue({ key, read }: FoundItem, now: string, figures: Figures): readonly Job[] {
  try {
    const job = parseOverdue(read, now);
    return job === undefined ? [] : [job];
  } catch (error) {
    logger.error("job not swept", { error, key });
    figures.skipped += 1;
    return [];
  }
}

const isHopeless = ({ resent }: Job): boolean => resent >= maxResent;

const giveUp = (job: Job, now: string): RecordWrites =>
  finishFailed(job, `not applied though it was sent ${maxResent + 1} times`, {
    at: now,
    attempts: maxResent + 1,
  });

/** Sends the messages of jobs. A kind that no longer has a queue does not delay the others. */
async function send(db: Database, kind: QueueName, jobs: readonly Job[]): Promise<void> {
  try {
    await sendJobs(db, kind, jobs);
  } catch (error) {
    logger.error("jobs not sent", { error, job: kind });
  }
}
