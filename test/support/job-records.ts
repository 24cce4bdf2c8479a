/** The service's jobs as they are stored, for tests to assess. */
import * as z from "zod";
import type { Database } from "../../shared/store/database.ts";
import { jobLookup } from "../../shared/store/jobs.ts";
import { recordKey } from "../../shared/store/lists/block-list.ts";
import { jobList } from "../../shared/store/lists/definitions.ts";
import { getItems, queryRange } from "../../shared/store/reads.ts";

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
  // Ids fill one block of them after another.
  for (let id = jobList.firstId ?? jobList.blockSize; ; id += jobList.blockSize) {
    const block = await queryRange(db, { table: jobList.table, pk: recordKey(jobList, id).pk });
    if (block.length === 0) return jobs;
    jobs.push(...block.filter((item) => item["kind"] === kind).map((item) => jobRecord.parse(item)));
  }
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
