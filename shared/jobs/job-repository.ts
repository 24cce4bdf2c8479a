/**
 * Jobs: work that a call accepts and a worker does a moment later. This folder knows no feature; workers
 * declare their kind. `POST /recount` is described in `shared/stock/recount/recount.ts`.
 *
 * A job record is `queued` at first. One transaction applies its change and sets it `applied`, or it is set
 * `failed` with a reason. Both require the record to be `queued`, so a message that is delivered again
 * changes nothing. Jobs of all kinds take their ids from one sequence. An accepted job goes this way:
 *
 * 1. `sendJobs` or, for many small jobs, `sendTogether` sends its message (`send.ts`).
 * 2. The worker of its kind receives messages, such as `functions/jobs/apply-recount.ts` (`worker.ts`).
 * 3. `applyMessages` reads their jobs (`message.ts`), and applies them together, then the others one by one.
 * 4. `applyJobs` reads what the jobs need, and has the kind plan each (`apply.ts`).
 * 5. `finishApplied` ends the job in the same transaction, so it is applied once.
 * 6. `commitEach` stores the changes, and the jobs as `applied`.
 *
 * A lost message, a call that died before sending, or a killed worker delays a job by two minutes at most:
 * `functions/jobs/sweep-jobs.ts` resends jobs that are still queued. If a worker is killed later than that,
 * its message returns to the queue after 90 s (`infra/constructs/job-queue.ts`).
 *
 *   after   a job that stays queued
 *    45 s   is due for its first check
 *   110 s   is resent at the latest: the sweeper runs every 60 s, finds the job in the index within a second,
 *           and sends it within the first seconds of a run; its worker begins a second or two later
 *    51 h   is resent for the last time
 *   102 h   ends as failed
 */

import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { QueueName } from "../runtime/queue-names.ts";
import type { Access } from "../store/access.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { storedKey } from "../store/dynamodb/keys.ts";
import {
  findPages,
  getItem,
  getItems,
  type Lookup,
  type RawItem,
  type ReadItem,
} from "../store/dynamodb/reads.ts";
import {
  type Change,
  type Condition,
  type Insert,
  insertOf,
  type RecordWrites,
  Stale,
} from "../store/dynamodb/writes.ts";
import { type BlockList, recordKey, standardBlocks } from "../store/lists/block-list.ts";
import { partitionsOf } from "../store/partitions.ts";
import { tableNames } from "../store/tables.ts";

const table = "jobs";

/** The owner of lists that belong to the whole deployment. */
export const deploymentOwner = "*";
/** Jobs of all kinds. They belong to the warehouse, so `deploymentOwner` leases their ids. */
export const jobList: BlockList = { table, name: "job", ...standardBlocks };

/** What a worker needs to read its jobs and to store their outcomes with their effects. */
export const workerAccess: Access = { [table]: { "job#": ["read", "change"] } };

/** What resuming a saga that stores jobs or their outcomes needs. */
export const storedJobAccess: Access = { [table]: { "job#": ["insert", "change"] } };

/**
 * A change that accepting a job made to another item. The transaction that ends the job as failed undoes it.
 */
const undoing = z.object({
  table: z.enum(tableNames),
  key: storedKey,
  add: z.record(primitive.text, primitive.number),
  remove: z.array(primitive.text),
});
export type Undoing = z.output<typeof undoing>;

const jobFields = z.object({
  kind: primitive.text,
  job_id: primitive.int,
  status: z.enum(["queued", "applied", "failed"]),
  /** The actor who requested the job. */
  by: primitive.text,
  /** The id of the call that requested it. */
  request_id: z.optional(primitive.text),
  queued_at: primitive.time,
  /** When the sweeper resends the job if it is still queued. */
  check_at: primitive.time,
  finished_at: primitive.timeOrNull,
  /** Deliveries until the job was finished, or how often it was sent if it was given up. 0 while queued. */
  attempts: primitive.int,
  /** How often the sweeper has resent the job. */
  resent: primitive.int,
  /** Why the job failed. */
  reason: primitive.textOrNull,
  payload: primitive.unknown,
  undo: z.optional(undoing),
  /** When a finished job expires, in epoch seconds. DynamoDB deletes the record some time later. */
  expires_at: z.optional(primitive.int),
});
export type Job = z.output<typeof jobFields>;

/** Time after which a queued job is first resent. A job normally takes a few seconds. */
const firstCheckSeconds = 45;

/**
 * How often the sweeper resends a job. The wait doubles each time, so a job in a long queue causes few
 * redundant messages: six in the first hour, and six in the two days after.
 */
export const maxResent = 12;

/** How long a finished job can be read (docs/decisions.md, Jobs). */
const retentionSeconds = 90 * 24 * 60 * 60;

/** When to check a job that is sent at `at`, for the `times + 1`th time. */
const checkAfter = (at: string, times: number): string =>
  new Date(Date.parse(at) + firstCheckSeconds * 2 ** times * 1000).toISOString();

/** Partitions of the sparse index `queued` with jobs. */
const queuedPartitions = partitionsOf("queued", 4);

export const jobLookup = (jobId: number): Lookup => ({ table, key: recordKey(jobList, jobId) });

/** An accepted job, as its message carries it. */
export interface QueuedJob<P = unknown> {
  readonly job_id: number;
  /** The actor who requested the job. */
  readonly by: string;
  /** The id of the call that requested it, which its effects also name. */
  readonly request_id?: string | undefined;
  readonly payload: P;
}

/** Inserts a job, queued at `at` (ISO 8601). Its id must be allocated, so that no other writer can use it. */
export function insertJob(
  kind: QueueName,
  { job_id, by, request_id, payload }: QueuedJob,
  at: string,
  undo?: Undoing,
): Insert {
  const job: Job = {
    kind,
    job_id,
    status: "queued",
    by,
    ...(request_id === undefined ? {} : { request_id }),
    queued_at: at,
    check_at: checkAfter(at, 0),
    finished_at: null,
    attempts: 0,
    resent: 0,
    reason: null,
    payload,
    ...(undo === undefined ? {} : { undo }),
  };
  return insertOf(
    jobLookup(job_id),
    { ...job, queued_shard: queuedPartitions.of(job_id) },
    { neverFails: true },
  );
}

/** Parses a job record. @throws if the record is not a job */
export const parseJob = (item: RawItem): Job => z.parse(jobFields, item);

const unlessExpired = (item: RawItem | undefined): Job | undefined => {
  const job = item && parseJob(item);
  return job?.expires_at === undefined || job.expires_at * 1000 > Date.now() ? job : undefined;
};

/** The job with this id, of any kind, unless it has expired. */
export const findJob = async (db: Database, jobId: number | undefined): Promise<Job | undefined> =>
  jobId === undefined ? undefined : unlessExpired(await getItem(db, jobLookup(jobId)));

/** The jobs with these ids that are still queued. One round trip for each hundred. */
export async function queuedJobs(db: Database, ids: readonly number[]): Promise<readonly Job[]> {
  const find = await getItems(db, ids.map(jobLookup));
  return ids
    .map((id) => unlessExpired(find(jobLookup(id))))
    .filter((job) => job !== undefined)
    .filter(({ status }) => status === "queued");
}

/** Thrown for a job that is no longer queued, because it was applied or failed before. */
export class JobFinished extends Stale {
  override readonly name = "JobFinished";
}

/** When a job ended (ISO 8601), and its `attempts`. */
interface End {
  readonly at: string;
  readonly attempts: number;
}

const finish = (jobId: number, ending: object, { at, attempts }: End): Change => ({
  kind: "change",
  ...jobLookup(jobId),
  set: {
    ...ending,
    finished_at: at,
    attempts,
    expires_at: Math.floor(Date.parse(at) / 1000) + retentionSeconds,
  },
  remove: ["queued_shard"],
  when: [{ attribute: "status", equals: "queued" }],
  rejection: () => new JobFinished(),
});

/** Ends a queued job as applied. Include this write in the transaction that applies the job's change. */
export const finishApplied = (jobId: number, end: End): Change => finish(jobId, { status: "applied" }, end);

/**
 * Ends a queued job as failed, and undoes what accepting it changed elsewhere. The second write is stale
 * unless `conditions` hold for the item that it changes.
 */
export const finishFailed = (
  { job_id, undo }: { readonly job_id: number; readonly undo?: Undoing | undefined },
  reason: string,
  end: End,
  conditions: readonly Condition[] = [],
): RecordWrites => [
  finish(job_id, { status: "failed", reason }, end),
  ...(undo === undefined ? [] : [{ kind: "change", ...undo, when: conditions } as const]),
];

/** Records that the sweeper resends a queued job at `at`. Stale if the job was finished or resent since. */
export const noteResent = ({ job_id, resent }: Job, at: string): Change => ({
  kind: "change",
  ...jobLookup(job_id),
  set: { check_at: checkAfter(at, resent + 1) },
  add: { resent: 1 },
  when: [
    { attribute: "status", equals: "queued" },
    { attribute: "resent", equals: resent },
  ],
});

/**
 * The records of jobs due by `now`, for each partition in pages of at most `size`. A job may be finished
 * already; see `parseOverdue`.
 */
export const overdueJobs = (db: Database, now: string, size: number) =>
  queuedPartitions
    .all()
    .map((pk) => findPages(db, { table, pk, index: "queued", between: ["0", now] }, size));

/** Parses the record of a due job; undefined if it is no longer due. @throws if the record is not a job */
export function parseOverdue(readItem: ReadItem, now: string): Job | undefined {
  const item = readItem();
  const job = item && parseJob(item);
  return job?.status === "queued" && job.check_at <= now ? job : undefined;
}
