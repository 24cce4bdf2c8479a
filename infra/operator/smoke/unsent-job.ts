/** Accepts a job without sending its message, as if the message had been lost. */

import { deploymentOwner, insertJob, jobList } from "../../../shared/jobs/job-repository.ts";
import type { QueueName } from "../../../shared/runtime/queue-names.ts";
import type { Database } from "../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../shared/store/lists/allocate.ts";
import { operator } from "../cli/context.ts";

/** The job is backdated by this time, so that its first check by the sweeper is due. */
const backdatedMs = 60_000;

/**
 * Stores a job whose message the next run of the sweeper sends. @returns the job's id
 * @param onId receives the id before the job is stored
 */
export async function acceptUnsent(
  db: Database,
  kind: QueueName,
  payload: object,
  onId: (jobId: number) => void = () => undefined,
): Promise<number> {
  const { firstId: job_id } = await allocate(db, jobList, deploymentOwner, 1);
  onId(job_id);
  const accepted = new Date(Date.now() - backdatedMs).toISOString();
  await transact(db, [insertJob(kind, { job_id, by: operator, payload }, accepted)]);
  return job_id;
}
