import { type Context, storeOnce } from "../lambda/context.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import { transact, transactionLimit } from "../store/dynamodb/transact.ts";
import { allocate } from "../store/lists/allocate.ts";
import { everyone, jobList } from "../store/lists/definitions.ts";
import { insertJob, jobLookup, type NewJob } from "./job-repository.ts";
import { sendJobs } from "./send.ts";

/**
 * Accepts the jobs of a call, all of them or none, in three round trips. Takes ids, stores the records and the
 * kept answer in one transaction, and sends the messages. Ids rise in the order of `payloads`, and with the time of the
 * call. The endpoint's `sends` must state the kind.
 * @throws where there are more jobs than one transaction holds: 100, as many as a bulk call has records
 */
export async function queueJobs<P extends object, A extends object>(
  context: Context,
  kind: JobKind,
  payloads: readonly P[],
  answer: (jobs: readonly NewJob<P>[]) => A,
): Promise<A> {
  const { db, actor: by } = context;
  const { firstId, at } = await allocate(db, jobList, everyone, payloads.length);
  const jobs = payloads.map((payload, position) => ({ job_id: firstId + position, by, payload }));
  const records = jobs.map((job) => insertJob(kind, job, at));
  const answered = answer(jobs);
  if (records.length < transactionLimit) {
    await storeOnce(context, records, answered);
  } else {
    // A full transaction has no place for the answer. The first record proves that all are stored.
    await context.idempotency.recordIntended(
      () => answered,
      () => [jobLookup(firstId)],
    );
    await transact(db, records);
  }
  await sendJobs(kind, jobs);
  return answered;
}
