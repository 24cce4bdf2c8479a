import { type Context, storeOnce } from "../operations/context.ts";
import type { JobKind } from "../store/job-kinds.ts";
import { insertJob } from "../store/jobs.ts";
import { allocate } from "../store/lists/allocate.ts";
import { everyone, jobList } from "../store/lists/definitions.ts";
import { sendJobs } from "./send.ts";

/** A job as it is accepted. */
export interface QueuedJob<P> {
  readonly job_id: number;
  /** Who asks for it. */
  readonly by: string;
  readonly payload: P;
}

/**
 * Accepts a call's jobs, all of them or none: ids, the call's answer foreseen, their records in one transaction, their
 * messages. Ids rise in the order of `payloads`, and with the time of the call. Three round trips, the messages included.
 * The endpoint's `sends` must state the kind.
 * @throws where there are more than one transaction holds: 100, as many as a bulk call's records
 */
export async function queueJobs<P extends object, A extends object>(
  context: Context,
  kind: JobKind,
  payloads: readonly P[],
  answer: (jobs: readonly QueuedJob<P>[]) => A,
): Promise<A> {
  const { db, actor: by } = context;
  const { firstId, at } = await allocate(db, jobList(kind), everyone, payloads.length);
  const jobs = payloads.map((payload, position) => ({ job_id: firstId + position, by, payload }));
  const records = jobs.map(({ job_id, payload }) => insertJob(kind, job_id, by, at, payload));
  const answered = await storeOnce(context, records, answer(jobs));
  await sendJobs(kind, jobs);
  return answered;
}
