/** Queues one job for each record of a call. */
import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Context } from "../lambda/context.ts";
import type { JobKind } from "../lambda/job-kinds.ts";
import { type Acceptance, acceptJobs, inOrder } from "./accept-jobs.ts";
import { insertJob, type QueuedJob } from "./job-repository.ts";
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
  const all = payloads.map((value, position) => ({ value, position }));
  const acceptance: Acceptance<P> = {
    payloads: all,
    writes: (jobs, at) => jobs.map((job) => insertJob(kind, job, at)),
  };
  const outcomes = await acceptJobs(
    context,
    [all],
    async () => [[acceptance]],
    (_, jobs) => context.idempotency.callReceipt(answer(inOrder(jobs))),
  );
  const jobs = outcomes.flatMap((outcome) => {
    if ("problem" in outcome) throw outcome.problem;
    return inOrder(outcome.result);
  });
  await sendJobs(context.db, kind, jobs);
  return answer(jobs);
}
