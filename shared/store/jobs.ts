/**
 * Job records: what was accepted and what became of it. A record is `queued` at first. One transaction applies its
 * change and sets it `applied`, or it is set `failed` with a reason. Both happen only where the record is still
 * `queued`, so a message that is delivered again changes nothing.
 */
import * as z from "zod/mini";
import type { Database } from "./database.ts";
import type { JobKind } from "./job-kinds.ts";
import { recordKey } from "./lists/block-list.ts";
import { jobList } from "./lists/definitions.ts";
import { getItem, getItems, type Lookup, queryPages, type RawItem } from "./reads.ts";
import { type Change, type Insert, stale } from "./writes.ts";

const table = "jobs";

const jobFields = z.object({
  kind: z.string(),
  job_id: z.int(),
  status: z.enum(["queued", "applied", "failed"]),
  /** Who asked for it. */
  by: z.string(),
  queued_at: z.string(),
  /** When the sweeper is to look after the job, should it still be queued then. */
  check_at: z.string(),
  finished_at: z.nullable(z.string()),
  /** Deliveries until the job was finished. */
  attempts: z.int(),
  /** Times that the sweeper sent the job again. */
  resent: z.int(),
  /** Why the job failed. */
  reason: z.nullable(z.string()),
  payload: z.unknown(),
  /** When a finished job is forgotten, epoch seconds. DynamoDB deletes the record some time after that. */
  expires_at: z.optional(z.int()),
});
export type Job = z.output<typeof jobFields>;

/** Minutes after which a message that was not applied is taken for lost: more than all of its deliveries take. */
const patience = 20;

/** Times that a lost message is sent again. Each time the wait doubles; the last is about two days after the first. */
export const mostResent = 7;

/** How long a finished job can be looked up, in seconds (docs/decisions.md, Jobs). */
const kept = 90 * 24 * 60 * 60;

/** When to look after a job that was sent at `at` for the `times + 1`th time. */
const checkAfter = (at: string, times: number): string =>
  new Date(Date.parse(at) + patience * 2 ** times * 60_000).toISOString();

/** Partitions of the sparse index that queued jobs are spread over, so that none of them gets all the writes. */
const shards = 4;

const shardOf = (jobId: number): string => `queued#${jobId % shards}`;

/** Where a job's record lies. */
export const jobLookup = (kind: JobKind, jobId: number): Lookup => ({
  table,
  key: recordKey(jobList(kind), jobId),
});

/** Records a job as queued. */
export function insertJob(kind: JobKind, jobId: number, by: string, at: string, payload: object): Insert {
  const job: Job = {
    kind,
    job_id: jobId,
    status: "queued",
    by,
    queued_at: at,
    check_at: checkAfter(at, 0),
    finished_at: null,
    attempts: 0,
    resent: 0,
    reason: null,
    payload,
  };
  const key = recordKey(jobList(kind), jobId);
  return {
    kind: "insert",
    table,
    item: { ...key, ...job, queued_shard: shardOf(jobId) },
    refusal: stale,
  };
}

/** The job of this kind with this id, unless it is forgotten by now. */
export async function findJob(db: Database, kind: JobKind, jobId: number): Promise<Job | undefined> {
  const item = await getItem(db, jobLookup(kind, jobId));
  if (item === undefined) return undefined;
  const job = z.parse(jobFields, item);
  return job.expires_at === undefined || job.expires_at * 1000 > Date.now() ? job : undefined;
}

/** Thrown where a job is not queued any more: it has taken effect, or failed, before. */
export class JobFinished extends Error {
  override readonly name = "JobFinished";
}

/** How a job ends. */
export type Ending = { readonly status: "applied" } | { readonly status: "failed"; readonly reason: string };

/** Ends a queued job; the transaction that applies its change holds this write. */
export const finishJob = (
  kind: JobKind,
  jobId: number,
  ending: Ending,
  { at, attempts }: { readonly at: string; readonly attempts: number },
): Change => ({
  kind: "change",
  table,
  key: jobLookup(kind, jobId).key,
  set: { ...ending, finished_at: at, attempts, expires_at: Math.floor(Date.parse(at) / 1000) + kept },
  remove: ["queued_shard"],
  when: [{ attribute: "status", equals: "queued" }],
  refusal: () => new JobFinished(),
});

/** Notes that the sweeper sends a queued job again at `at`. Stale where the job was finished or sent meanwhile. */
export const noteResent = ({ kind, job_id, resent }: Job, at: string): Change => ({
  kind: "change",
  table,
  key: jobLookup(kind, job_id).key,
  set: { check_at: checkAfter(at, resent + 1) },
  add: { resent: 1 },
  when: [
    { attribute: "status", equals: "queued" },
    { attribute: "resent", equals: resent },
  ],
  refusal: stale,
});

/** An entry of the index of queued jobs. The index follows late: a job that was just finished may still be in it. */
const queuedEntry = z.object({ pk: z.string(), sk: z.string() });

/**
 * The records of jobs that are to be looked after by `now`, page by page: of each shard, at most `size` at a time. A
 * record may be finished already; see `parseOverdue`.
 */
export const overdueJobs = (
  db: Database,
  now: string,
  size: number,
): readonly AsyncGenerator<readonly RawItem[], void>[] =>
  Array.from({ length: shards }, (_, shard) => overdueIn(db, shardOf(shard), now, size));

async function* overdueIn(
  db: Database,
  pk: string,
  now: string,
  size: number,
): AsyncGenerator<readonly RawItem[], void> {
  const range = { table, pk, index: "queued", between: ["0", now] } as const;
  for await (const entries of queryPages(db, range, size)) {
    const lookups = entries.map((entry): Lookup => ({ table, key: z.parse(queuedEntry, entry) }));
    const find = await getItems(db, lookups);
    yield lookups.map(find).filter((item) => item !== undefined);
  }
}

/** The job of a record, undefined where it needs no look any more. @throws where the record is no job */
export function parseOverdue(item: RawItem, now: string): Job | undefined {
  const job = z.parse(jobFields, item);
  return job.status === "queued" && job.check_at <= now ? job : undefined;
}
