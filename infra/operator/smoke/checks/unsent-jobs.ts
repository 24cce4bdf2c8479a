/** Jobs whose messages are never sent, as if they had been lost: the sweeper sends them. */

import { insertJob } from "../../../../shared/jobs/job-repository.ts";
import type { JobKind } from "../../../../shared/lambda/job-kinds.ts";
import type { Database } from "../../../../shared/store/dynamodb/database.ts";
import { transact } from "../../../../shared/store/dynamodb/transact.ts";
import { allocate } from "../../../../shared/store/lists/allocate.ts";
import { everyone, jobList } from "../../../../shared/store/lists/definitions.ts";
import { operator } from "../../cli/session.ts";

/** Milliseconds before now at which such a job counts as accepted: its first check is due already. */
const overdue = 60_000;

/**
 * Accepts a job without sending its message. The next run of the sweeper sends it.
 * @param noteId is told the job's id before the job is stored
 */
export async function acceptUnsent(
  db: Database,
  kind: JobKind,
  payload: object,
  noteId: (jobId: number) => void = () => undefined,
): Promise<number> {
  const { firstId: job_id } = await allocate(db, jobList, everyone, 1);
  noteId(job_id);
  const accepted = new Date(Date.now() - overdue).toISOString();
  await transact(db, [insertJob(kind, { job_id, by: operator, payload }, accepted)]);
  return job_id;
}
