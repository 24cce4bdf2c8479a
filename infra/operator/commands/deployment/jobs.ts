/** Jobs, which are changes that the service accepts and applies later. */

import * as z from "zod/mini";
import { invalid, notFound } from "../../../../shared/common/problem.ts";
import { findJob, type Job, jobList, parseJob } from "../../../../shared/jobs/job-repository.ts";
import { writeMessage } from "../../../../shared/jobs/message.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { scanPages } from "../../../data-model/scan.ts";
import { listed, reply, whole } from "../../cli/answer.ts";
import { type Commands, defineCommand } from "../../cli/command.ts";
import { id, limit as limitField, oneOf, optional } from "../../cli/fields.ts";

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

async function jobsThat(db: Database, status: Job["status"], limit: number): Promise<readonly Job[]> {
  const found: Job[] = [];
  for await (const items of scanPages(db, { table: jobList.table, partitions: [`${jobList.name}#`] })) {
    found.push(...items.map(parseJob).filter((job) => job.status === status));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit).toSorted((left, right) => left.job_id - right.job_id);
}

async function existing(db: Database, jobId: number): Promise<Job> {
  const job = await findJob(db, jobId);
  if (job === undefined) throw notFound(`There is no job ${jobId}`);
  return job;
}

export const jobs: Commands = [
  defineCommand({
    words: "jobs list",
    summary: "Lists jobs by status: queued, applied or failed",
    about: ["The command scans the table of jobs. It requires dynamodb:Scan."],
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
      listed((await jobsThat(db, status, limit)).map(shown), `No job is ${status}.`),
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
