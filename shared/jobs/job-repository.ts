/**
 * Jobs: work that a call accepts now and a worker does a moment later. This room knows no feature: workers state their kind.
 *
 * A job record is `queued` at first. One transaction applies its change and sets it `applied`, or it is set `failed` with
 * a reason. Both require the record to be `queued`, so a message that is delivered again changes nothing. Jobs of all
 * kinds take their ids from one sequence. A recount goes this way:
 *
 *   functions/wms/recount    reads the body (`readRecount`) into entries, or answers what is wrong with them
 *   -> acceptRecount         finds what the entries name (`resolveRecount`), and sorts them by bin
 *   -> acceptJobs            plans the bins (`planRecount`: a correction for each entry), takes ids,
 *   -> storeEach             stores the job records with what each bin will hold, and the answer for a retry
 *   -> sendJobs              sends the messages; `sweep-jobs` sends again those that are lost; the call is answered
 *   functions/jobs/apply-recount   is given the messages: `workerLambda`
 *   -> applyBatch            reads the messages; applies their jobs together, then those that are left one by one
 *   -> applyJobs             reads what the jobs need, plans them (`planCorrection`),
 *   -> commitEach            and stores the bins, the stock, its movements and the records, now `applied`
 *
 * No job waits for more than two minutes because its message was lost, its call died before sending, or its worker was
 * killed. A job is due for a check 45 s after it was accepted. The sweeper runs every 60 s, finds the job in the index
 * within a second, and sends it within the first seconds of a run. So the job is sent again within 110 s at most, and its
 * worker begins within another second or two. A message that was delivered later than that, and whose worker was killed,
 * comes back to its queue after 90 s (`infra/constructs/job-queue.ts`). Only corrections of a call that names one bin a
 * hundred times may take up to 45 s more: they are stored by a saga, which others finish first (`sagas/saga.ts`).
 * A job that workers leave queued is sent again until 51 hours after its acceptance, and ends as failed after 102.
 */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import type { Database } from "../store/dynamodb/database.ts";
import { storedKey } from "../store/dynamodb/keys.ts";
import { getItem, getItems, type Lookup, queryPages, type RawItem } from "../store/dynamodb/reads.ts";
import { type Change, type Condition, type Insert, Stale, stale } from "../store/dynamodb/writes.ts";
import { recordKey } from "../store/lists/block-list.ts";
import { jobList } from "../store/lists/definitions.ts";
import { tableNames } from "../store/tables.ts";

const table = "jobs";

/** What accepting a job changed of another item, and what the transaction that ends the job as failed therefore undoes. */
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
  /** Who asked for it. */
  by: primitive.text,
  queued_at: primitive.text,
  /** When the sweeper is to send the job again if it is still queued. */
  check_at: primitive.text,
  finished_at: primitive.textOrNull,
  /** Deliveries until the job was finished. */
  attempts: primitive.int,
  /** Times that the sweeper sent the job again. */
  resent: primitive.int,
  /** Why the job failed. */
  reason: primitive.textOrNull,
  payload: z.unknown(),
  undo: z.optional(undoing),
  /** When a finished job is forgotten, epoch seconds. DynamoDB deletes the record some time after that. */
  expires_at: z.optional(primitive.int),
});
export type Job = z.output<typeof jobFields>;

/** Time after which a queued job is first sent again. A job takes a few seconds, unless its queue is long. */
const firstCheckSeconds = 45;

/**
 * Times that the sweeper sends a job again. Each time the wait doubles. So a job that waits in a long queue causes few redundant
 * messages: six in the first hour, and six in the two days after.
 */
export const maxResent = 12;

/** How long a finished job can be looked up (docs/decisions.md, Jobs). */
const retentionSeconds = 90 * 24 * 60 * 60;

/** When a job is due that was sent at `at` for the `times + 1`th time. */
const checkAfter = (at: string, times: number): string =>
  new Date(Date.parse(at) + firstCheckSeconds * 2 ** times * 1000).toISOString();

/** Partitions of the sparse index that queued jobs are spread over, so that none of them gets all the writes. */
const shards = 4;

const shardOf = (jobId: number): string => `queued#${jobId % shards}`;

/** The place of a job's record. */
export const jobLookup = (jobId: number): Lookup => ({ table, key: recordKey(jobList, jobId) });

/** A job that is accepted, and what its message carries. */
export interface QueuedJob<P = unknown> {
  readonly job_id: number;
  /** Who asked for the job. */
  readonly by: string;
  readonly payload: P;
}

/** Records a job as queued at `at` (ISO 8601). Its id must have been allocated, so that no other writer can take it. */
export function insertJob(
  kind: JobKind,
  { job_id, by, payload }: QueuedJob,
  at: string,
  undo?: Undoing,
): Insert {
  const job: Job = {
    kind,
    job_id,
    status: "queued",
    by,
    queued_at: at,
    check_at: checkAfter(at, 0),
    finished_at: null,
    attempts: 0,
    resent: 0,
    reason: null,
    payload,
    ...(undo === undefined ? {} : { undo }),
  };
  const { key } = jobLookup(job_id);
  return {
    kind: "insert",
    table,
    item: { ...key, ...job, queued_shard: shardOf(job_id) },
    own: true,
    rejection: stale,
  };
}

/** The job of a record. @throws if the record is no job */
export const parseJob = (item: RawItem): Job => z.parse(jobFields, item);

const unlessForgotten = (item: RawItem | undefined): Job | undefined => {
  const job = item && parseJob(item);
  return job?.expires_at === undefined || job.expires_at * 1000 > Date.now() ? job : undefined;
};

/** The job with this id, of whatever kind, unless it is forgotten by now. */
export const findJob = async (db: Database, jobId: number): Promise<Job | undefined> =>
  unlessForgotten(await getItem(db, jobLookup(jobId)));

/** Those of the jobs with these ids that are queued: one round trip for each hundred. */
export async function queuedJobs(db: Database, ids: readonly number[]): Promise<readonly Job[]> {
  const find = await getItems(db, ids.map(jobLookup));
  return ids
    .map((id) => unlessForgotten(find(jobLookup(id))))
    .filter((job) => job !== undefined)
    .filter(({ status }) => status === "queued");
}

/** Thrown for a job that is not queued any more: it has taken effect, or failed, before. */
export class JobFinished extends Stale {
  override readonly name = "JobFinished";
}

/** When a job ended (ISO 8601), and how many deliveries that took. */
interface End {
  readonly at: string;
  readonly attempts: number;
}

const finish = (jobId: number, ending: object, { at, attempts }: End): Change => ({
  kind: "change",
  table,
  key: jobLookup(jobId).key,
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

/** Ends a queued job as applied; the transaction that applies its change holds this write. */
export const finishApplied = (jobId: number, end: End): Change => finish(jobId, { status: "applied" }, end);

/**
 * Ends a queued job as failed, and undoes what accepting it changed elsewhere. `conditions` must hold of what is undone:
 * the second write is stale if they do not.
 */
export const finishFailed = (
  { job_id, undo }: { readonly job_id: number; readonly undo?: Undoing | undefined },
  reason: string,
  end: End,
  conditions: readonly Condition[] = [],
): readonly Change[] => [
  finish(job_id, { status: "failed", reason }, end),
  ...(undo === undefined ? [] : [{ kind: "change", ...undo, when: conditions, rejection: stale } as const]),
];

/** Notes that the sweeper sends a queued job again at `at`. Stale if the job was finished or sent meanwhile. */
export const noteResent = ({ job_id, resent }: Job, at: string): Change => ({
  kind: "change",
  table,
  key: jobLookup(job_id).key,
  set: { check_at: checkAfter(at, resent + 1) },
  add: { resent: 1 },
  when: [
    { attribute: "status", equals: "queued" },
    { attribute: "resent", equals: resent },
  ],
  rejection: stale,
});

/** Hands over the record of a job that was read. @throws UnknownLayout if this release can't read it */
export type Overdue = () => RawItem | undefined;
type Pages = AsyncGenerator<readonly Overdue[], void>;

/**
 * The records of jobs that are due by `now`, page by page: of each shard, at most `size` at a time. A
 * record may be finished already; see `parseOverdue`.
 */
export const overdueJobs = (db: Database, now: string, size: number): readonly Pages[] =>
  Array.from({ length: shards }, (_, shard) => overdueIn(db, shardOf(shard), now, size));

async function* overdueIn(db: Database, pk: string, now: string, size: number): Pages {
  const range = { table, pk, index: "queued", between: ["0", now] } as const;
  for await (const entries of queryPages(db, range, size)) {
    const lookups = entries.map((entry): Lookup => ({ table, key: z.parse(storedKey, entry) }));
    const find = await getItems(db, lookups);
    yield lookups.map((lookup) => () => find(lookup));
  }
}

/** The job of a record, undefined if it is not due any more. @throws if the record is no job */
export function parseOverdue(readItem: Overdue, now: string): Job | undefined {
  const item = readItem();
  const job = item && parseJob(item);
  return job?.status === "queued" && job.check_at <= now ? job : undefined;
}
