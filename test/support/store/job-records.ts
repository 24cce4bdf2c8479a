/** The service's jobs as they are stored: tests accept some, and assess what became of them. */
import * as z from "zod";
import {
  deploymentOwner,
  insertJob,
  jobList,
  jobLookup,
  type QueuedJob,
} from "../../../shared/jobs/job-repository.ts";
import type { QueueName } from "../../../shared/runtime/queue-names.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { getItems, queryRange } from "../../../shared/store/dynamodb/reads.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { blockItems } from "../../../shared/store/lists/block-list.ts";
import { readBlocks } from "../../../shared/store/lists/counters/counter-tree.ts";

const jobRecord = z.object({
  kind: z.string(),
  job_id: z.int(),
  status: z.enum(["queued", "applied", "failed"]),
  by: z.string(),
  queued_at: z.string(),
  finished_at: z.string().nullable(),
  attempts: z.int(),
  resent: z.int(),
  reason: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
});
export type JobRecord = z.output<typeof jobRecord>;

/** All jobs of a kind, by id. It reads nothing else, so that files that share a service may ask for them. */
export async function jobsOf(db: Database, kind: string): Promise<readonly JobRecord[]> {
  const jobs: JobRecord[] = [];
  for await (const { block } of readBlocks({ db, list: jobList, owner: deploymentOwner })) {
    const items = await queryRange(db, blockItems(jobList, block));
    jobs.push(...items.filter((item) => item["kind"] === kind).map((item) => jobRecord.parse(item)));
  }
  return jobs;
}

/** The jobs with these ids, of whatever kind, that are stored. */
export async function jobsWith(db: Database, ids: readonly number[]): Promise<readonly JobRecord[]> {
  const find = await getItems(db, ids.map(jobLookup));
  const items = ids.map((id) => find(jobLookup(id))).filter((item) => item !== undefined);
  return items.map((item) => jobRecord.parse(item));
}

/** The jobs of a kind that are about an order, by id. */
export const jobsAbout = async (db: Database, kind: string, orderId: number): Promise<readonly JobRecord[]> =>
  (await jobsOf(db, kind)).filter(({ payload }) => payload["order_id"] === orderId);

/** Accepts jobs of a kind, as calls of `manager` would. No message is sent. */
export async function acceptedJobs<P extends object>(
  db: Database,
  kind: QueueName,
  payloads: readonly P[],
): Promise<readonly QueuedJob<P>[]> {
  const { firstId, at } = await allocate(db, jobList, deploymentOwner, payloads.length);
  const jobs = payloads.map((payload, place) => ({ job_id: firstId + place, by: "user:manager", payload }));
  await transact(
    db,
    jobs.map((job) => insertJob(kind, job, at)),
  );
  return jobs;
}
