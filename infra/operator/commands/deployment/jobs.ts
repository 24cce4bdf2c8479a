/** Jobs, which are changes that the service accepts and applies later. */

import * as z from "zod/mini";
import { invalid, notFound } from "../../../../shared/common/problem.ts";
import { findJob, type Job, jobList, parseJob } from "../../../../shared/jobs/job-repository.ts";
import { writeMessage } from "../../../../shared/jobs/message.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { keyIn } from "../../../../shared/store/dynamodb/keys.ts";
import type { RawItem } from "../../../../shared/store/dynamodb/reads.ts";
import { inLatestLayout } from "../../../../shared/store/layouts/layouts.ts";
import { scanStored } from "../../../data-model/scan.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { id, limit as limitField, oneOf, optional } from "../../cli/fields.ts";
import { listed, reply, whole } from "../../cli/result.ts";
import { unlessUnreadable } from "../../unreadable.ts";

const statuses = ["queued", "applied", "failed"] as const;

const shown = ({ job_id, kind, status, by, queued_at, finished_at, attempts, resent, reason }: Job) => ({
  job_id,
  kind,
  status,
  by,
  queued_at,
  finished_at,
  attempts,
  resent,
  reason,
});

const shownUnreadable = (item: RawItem) => {
  const { pk, sk } = keyIn(item);
  return { job_id: Number(sk), status: "unreadable", reason: `the item ${pk} ${sk} can't be read` };
};

const byId = (left: Job, right: Job): number => left.job_id - right.job_id;

/** The oldest jobs with this status, and behind them those that can't be read, whose status is unknown. */
async function jobsThat(db: Database, status: Job["status"], limit: number): Promise<readonly object[]> {
  const { table, name } = jobList;
  let found: Job[] = [];
  const unreadable: RawItem[] = [];
  for await (const items of scanStored(db, { table, partitions: [`${name}#`] })) {
    for (const item of items) {
      const job = await unlessUnreadable(() => parseJob(inLatestLayout(db, table, item)));
      if (job === "unclear") unreadable.push(item);
      else if (job.status === status) found.push(job);
    }
    found = found.toSorted(byId).slice(0, limit);
  }
  return [...found.map(shown), ...unreadable.map(shownUnreadable)];
}

async function existing(db: Database, jobId: number): Promise<Job> {
  const job = await findJob(db, jobId);
  if (job === undefined) throw notFound(`There is no job ${jobId}`);
  return job;
}

export const jobs: Commands = [
  defineCommand({
    words: "jobs list",
    summary: "Lists jobs by status: queued, applied or failed, the oldest first",
    about: [
      "The command scans the whole table of jobs. It requires dynamodb:Scan.",
      "A job that can't be read is listed as unreadable, whatever the status, and does not count towards the limit.",
    ],
    options: {
      "--status <status>": `${statuses.join(", ")} (default: queued)`,
      "--limit <number>": `maximum number of jobs, 1 to 1000 (default: 100)`,
    },
    examples: ["jobs list", "jobs list --status failed --limit 1000 --json"],
    values: z.object({
      status: optional(oneOf(statuses)),
      limit: optional(limitField),
    }),
    run: async ({ db }, { status = "queued", limit = 100 }) =>
      listed(await jobsThat(db, status, limit), `No job is ${status}.`),
  }),
  defineCommand({
    words: "jobs show <id>",
    summary: "Shows a job with its payload",
    examples: ["jobs show 1001"],
    values: z.object({ id }),
    run: async ({ db }, { id: jobId }) => {
      const job = await existing(db, jobId);
      return whole({ ...shown(job), payload: job.payload });
    },
  }),
  defineCommand({
    words: "jobs retry <id>",
    summary: "Resends the message of a queued job",
    about: [
      "A job takes effect once, even if its message is sent several times. A failed job can't be retried: request the change again.",
    ],
    examples: ["jobs retry 1001"],
    values: z.object({ id }),
    changes: {},
    run: async ({ db, queues, dryRun }, { id: jobId }) => {
      const job = await existing(db, jobId);
      if (job.status !== "queued")
        throw invalid(`Job ${jobId} is ${job.status}; only a queued job can be retried`);
      if (!dryRun) await (await queues()).send(job.kind, writeMessage(job));
      return reply(`The message of job ${jobId} is sent again.`, shown(job));
    },
  }),
  defineCommand({
    words: "jobs redrive <kind>",
    summary: "Moves all messages from a kind's dead-letter queue back to its queue",
    about: ["Fix the cause first: the worker's log shows it. Jobs that have failed stay failed."],
    examples: ["jobs redrive recount"],
    values: z.object({ kind: z.string() }),
    changes: {},
    run: async ({ queues, dryRun }, { kind }) => {
      const messages = await (await queues())[dryRun ? "failed" : "redrive"](kind);
      return reply(`Messages sent again: ${messages}.`, { kind, messages });
    },
  }),
];
