/** Queues one job for each record of a call. */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Context } from "../lambda/context.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import { allocate } from "../store/lists/allocate.ts";
import { storeOnce } from "../store/store-once.ts";
import { everyone, insertJob, jobList, type QueuedJob } from "./job-repository.ts";
import { sendJobs } from "./send.ts";

const queued = z.object({
  job_id: primitive.int,
  order_id: primitive.int,
  nbtybarcode: z.optional(primitive.text),
});

/** The response body of such a call. `jobs` are in the order of the call. */
export const acceptance = z.object({
  response: z.object({ success: z.literal(true), message: primitive.text, jobs: z.array(queued) }),
});

export const accepted = (
  message: string,
  jobs: readonly z.output<typeof queued>[],
): z.output<typeof acceptance> => ({ response: { success: true, message, jobs: [...jobs] } });

/** The ids of the jobs in a stored response. */
export const acceptedJobs = ({ response: { jobs } }: z.output<typeof acceptance>): readonly number[] =>
  jobs.map(({ job_id }) => job_id);

/**
 * Accepts all jobs of a call or none, and sends their messages. At most 100 jobs; their ids rise in the order
 * of `payloads`. With a key, 100 jobs are stored by a saga. The endpoint's `sends` must include the kind.
 */
export async function queueJobs<P, A extends object>(
  context: Context,
  kind: JobKind,
  payloads: readonly P[],
  answer: (jobs: readonly QueuedJob<P>[]) => A,
): Promise<A> {
  const { db, actor: by } = context;
  const { firstId, at } = await allocate(db, jobList, everyone, payloads.length);
  const jobs = payloads.map((payload, position): QueuedJob<P> => {
    return { job_id: firstId + position, by, request_id: db.requestId, payload };
  });
  const writes = jobs.map((job) => insertJob(kind, job, at));
  const response = await storeOnce(context, writes, answer(jobs));
  await sendJobs(db, kind, jobs);
  return response;
}
